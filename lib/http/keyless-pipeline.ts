import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import type { Mode } from '../stores/mode.ts';
import { startDatabaseDeadline } from './database-deadline.ts';
import { errorShaping } from './error-shaping.ts';
import { MIDDY, type ProxyFunction } from './pipeline.ts';
import { type Middleware, receive, type ReceivedRequest } from './received-request.ts';
import { requestClock } from './request-clock.ts';
import { type LogName, requestLog } from './request-log.ts';
import { responseHeaders } from './response-headers.ts';

/** An operation that needs no API key: it is public, or IAM has authorised the caller before. */
export interface KeylessOperation {
  readonly logName: LogName;
  /** The mode in the log, if all requests have the same one. */
  readonly mode?: Mode;
  /** Converts any thrown value to a response. Default: an `ErrorResponse`. */
  readonly errors?: Middleware;
  /** The machine's clock, from which each request gets its own. */
  readonly now: Clock;
  /**
   * Handles a request whose header names are in lower case. Throws an `ApiError` to reject it. The signal ends its database
   * calls when their time is up.
   */
  readonly handle: (
    event: APIGatewayProxyEvent,
    signal: AbortSignal,
    now: Clock,
  ) => Promise<APIGatewayProxyResult>;
}

/**
 * The pipeline of operations that need no API key. Middy runs `after` and `onError` from bottom to top. An error gets its
 * response, then the headers of every response, then its log line.
 */
export const keylessOperation = ({
  logName,
  mode,
  errors = errorShaping(),
  now,
  handle,
}: KeylessOperation): ProxyFunction => {
  const handler = middy<ReceivedRequest, APIGatewayProxyResult>(MIDDY)
    .use(requestLog(logName, now))
    .use(responseHeaders())
    .use(errors)
    .handler(async (request, context) => {
      const deadline = startDatabaseDeadline(context);
      try {
        const clock = requestClock(request.requestContext.requestTimeEpoch, now);
        return await handle(request, deadline.signal, clock);
      } finally {
        deadline.cancel();
      }
    });
  return (event, context) => handler(receive(event, { startedAtMs: now(), mode }), context);
};
