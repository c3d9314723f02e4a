import { stackFrames } from './stack-frames.ts';

/**
 * The part of a failure that may be logged: its name, code and stack frames. Its message may quote the request: a JSON
 * parser quotes the text, and DynamoDB the item.
 */
export const describeFailure = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    frames: stackFrames(error),
  };
};
