/**
 * A failure as far as it may be logged: its kind and where it arose. Its message stays out, since it may quote the
 * request (a JSON parser quotes the text, DynamoDB the item).
 */
export const describeFailure = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    frames: stackFrames(error),
  };
};

const FRAMES_MAX = 8;

/** Where an error arose. Only what follows the message, whose lines may look like frames; none if that is not sure. */
const stackFrames = ({ stack = '', message }: Error): string[] => {
  const messageStart = stack.indexOf(message);
  if (messageStart === -1) return [];
  const lines = stack.slice(messageStart + message.length).split('\n');
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES_MAX)
    .map((frame) => frame.trim());
};
