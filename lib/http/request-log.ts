import type { Clock } from '../clock.ts';
import { describeFailure } from '../failure.ts';
import { logger } from '../telemetry.ts';
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
