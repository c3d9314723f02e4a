import type { Clock } from '../clock.ts';
import { logger } from './telemetry.ts';
import type { Middleware } from './request-state.ts';

/**
 * Writes one log line per request: what was asked, by which key, what was answered and how long it took. The
 * outermost middleware, so that it sees the answer as it leaves.
 *
 * It passes every field explicitly, because the logger is shared by the requests that run at the same time.
 *
 * @param operation the operation's name in the document
 */
export const requestLog = (operation: string, now: Clock): Middleware => {
  const write: NonNullable<Middleware['after']> = ({ internal, response, error }) => {
    const status = response?.statusCode ?? 500;
    const line = {
      operation,
      requestId: internal.requestId,
      status,
      code: internal.errorCode,
      storeId: internal.storeId,
      keyId: internal.keyId,
      durationMs: now() - (internal.startedAtMs ?? now()),
    };
    if (status < 500) logger.info('answered', line);
    else logger.error('failed', { ...line, cause: describeFailure(error) });
  };
  return {
    before: ({ event, internal }) => {
      internal.requestId = event.requestContext.requestId;
      internal.startedAtMs = now();
    },
    after: write,
    onError: write,
  };
};

/**
 * A failure as far as it may be logged: its kind and where it arose. Its message stays out, since it may quote the
 * request (a JSON parser quotes the text, DynamoDB the item).
 */
const describeFailure = (error: unknown): Record<string, unknown> => {
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
