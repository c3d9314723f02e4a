import { shownKeyId } from '../api-keys/api-key.ts';
import type { Clock } from '../core/clock.ts';
import { COMMIT_VARIABLE } from '../settings/settings.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import { ApiError } from './errors.ts';
import type { Middleware } from './received-request.ts';
import { requestMetrics } from './request-metrics.ts';
import { hashSource } from './source-hash.ts';

/** How log lines and metrics name the requests of an operation. */
export interface LogName {
  /** The operation's name in `functions/operations.ts`, or the common name of several. */
  readonly operation: string;
  /** Whether the log line also has the method and the path, without ids. True if several operations share the name. */
  readonly hasRoute: boolean;
}

/**
 * Writes the log line of a request, which includes its metrics. It is the outermost middleware, so it
 * sees the final response. The access log of the gateway has the size of the response: `requestId` joins both.
 *
 * @param now the machine's clock
 */
export const requestLog = ({ operation, hasRoute }: LogName, now: Clock): Middleware => {
  const write: NonNullable<Middleware['after']> = ({ event, response, error }) => {
    const { requestContext, state } = event;
    const status = response?.statusCode ?? 500;
    const line = {
      requestId: requestContext.requestId,
      status,
      route: hasRoute ? `${event.httpMethod} ${event.resource}` : undefined,
      code: state.errorCode,
      storeId: state.storeId,
      keyId: state.keyId === undefined ? undefined : shownKeyId({ keyId: state.keyId }),
      productId: error instanceof ApiError ? error.productId : undefined,
      testModeIssues: state.loggedIssues,
      source: hashSource(requestContext.identity.sourceIp),
      ms: now() - state.startedAtMs,
      ...requestMetrics(operation, status, state, error),
    };
    if (status < 500) logger.request(line);
    else {
      const commit = process.env[COMMIT_VARIABLE];
      logger.error('failed', { ...line, commit, cause: describeFailure(error) });
    }
  };
  return { after: write, onError: write };
};
