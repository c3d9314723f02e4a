import { LOGGED_KEY_ID_DIGITS } from '../api-keys/api-key.ts';
import type { Clock } from '../core/clock.ts';
import { describeFailure } from '../core/failure.ts';
import { logger } from '../core/telemetry.ts';
import { ApiError } from './errors.ts';
import { requestMetrics } from './request-metrics.ts';
import type { Middleware } from './request-state.ts';
import { hashSource } from './source-hash.ts';

/**
 * Writes one log line per request, which includes its metrics. It is the outermost middleware, so it sees the final response.
 * The access log of the gateway has the size of the response: `requestId` joins both.
 *
 * @param operation the operation's name in `functions/operations.ts`, or `sandboxCheckout` for the payment page
 */
export const requestLog = (operation: string, now: Clock): Middleware => {
  const write: NonNullable<Middleware['after']> = ({ event, internal, response, error }) => {
    const status = response?.statusCode ?? 500;
    const line = {
      requestId: internal.requestId,
      status,
      code: internal.errorCode,
      storeId: internal.storeId,
      keyId: internal.keyId?.slice(0, LOGGED_KEY_ID_DIGITS),
      productId: error instanceof ApiError ? error.productId : undefined,
      misspelledFields: internal.parsed?.misspelledFields,
      source: hashSource(event.requestContext.identity.sourceIp),
      ms: now() - (internal.startedAtMs ?? now()),
      ...requestMetrics(operation, status, internal),
    };
    if (status < 500) logger.request(line);
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
