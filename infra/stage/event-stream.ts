/** The most events of the stream in one invocation of the fan-out. */
export const STREAM_BATCH_SIZE = 100;
