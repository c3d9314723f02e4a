import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import type { Mode } from '../stores/mode.ts';
import { startDatabaseDeadline } from './database-deadline.ts';
import { errorShaping } from './error-shaping.ts';
import { type Middleware, receive, type ReceivedRequest } from './received-request.ts';
import { requestClock } from './request-clock.ts';
import { type LogName, requestLog } from './request-log.ts';
import { responseHeaders } from './response-headers.ts';

/** No early end by Middy: the deadline of the database calls ends whatever a handler waits for. */
const MIDDY_OPTIONS = { timeoutEarlyInMillis: 0 };

/** The second step of a request: its database calls, which `signal` ends when their time is up, and its response. */
type Respond = (signal: AbortSignal) => Promise<APIGatewayProxyResult>;

export interface OperationOptions {
  readonly logName: LogName;
  /** The mode in the log, if all requests have the same one. */
  readonly mode?: Mode;
  /** Converts any thrown value to a response. Default: an `ErrorResponse`. */
  readonly errors?: Middleware;
  /** The machine's clock, from which each request gets its own. */
  readonly now: Clock;
  /**
   * The first step of a request, without database calls: their time begins after it, so a request that it rejects needs no
   * timer. Returns the second step. Either throws an `ApiError` to reject the request.
   */
  readonly handle: (request: ReceivedRequest, now: Clock) => Respond;
}

/** A Lambda function behind API Gateway's REST proxy integration. */
export type ProxyFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * The pipeline of every operation. Middy runs `after` and `onError` from bottom to top. An error gets its response, then the
 * headers of every response, then its log line.
 */
export const operation = ({
  logName,
  mode,
  errors = errorShaping(),
  now,
  handle,
}: OperationOptions): ProxyFunction => {
  const handler = middy<ReceivedRequest, APIGatewayProxyResult>(MIDDY_OPTIONS)
    .use(requestLog(logName, now))
    .use(responseHeaders())
    .use(errors)
    .handler(async (request, context) => {
      const respond = handle(request, requestClock(request.requestContext.requestTimeEpoch, now));
      const { signal, cancel } = startDatabaseDeadline(context);
      try {
        return await respond(signal);
      } finally {
        cancel();
      }
    });
  return (event, context) => handler(receive(event, { startedAtMs: now(), mode }), context);
};
