import { stackFrames } from './stack-frames.ts';

/**
 * The part of a failure that may be logged: its name, its code and its stack frames. Its message is left out: it may
 * quote the request, as a JSON parser quotes the text and DynamoDB the item.
 */
export const describeFailure = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    frames: stackFrames(error),
  };
};
