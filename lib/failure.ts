import { stackFrames } from './stack-frames.ts';

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
