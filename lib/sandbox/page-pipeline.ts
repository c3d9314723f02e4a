import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../clock.ts';
import { lowerCaseHeaderNames } from '../http/header-names.ts';
import { type ProxyFunction, RESPONSE_RESERVE_MS } from '../http/pipeline.ts';
import { requestLog } from '../http/request-log.ts';
import type { RequestState } from '../http/request-state.ts';
import { responseHeaders } from '../http/response-headers.ts';
import { errorPages } from './error-pages.ts';

export interface PageOperation {
  /** The operation's name in the log. */
  readonly operation: string;
  readonly now: Clock;
  /** Handles a request whose header names are in lower case. Throws an `ApiError` to reject it. */
  readonly handle: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
}

/**
 * The pipeline of pages, which need no API key. Middy runs `after` and `onError` from bottom to top. An error gets its
 * page, then the headers of every response, then its log line.
 */
export const pageOperation = ({ operation, now, handle }: PageOperation): ProxyFunction => {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context, RequestState>({
    timeoutEarlyInMillis: RESPONSE_RESERVE_MS,
  })
    .use(requestLog(operation, now))
    .before(({ internal }) => void (internal.mode = 'test'))
    .use(responseHeaders())
    .use(errorPages())
    .use(lowerCaseHeaderNames())
    .handler(handle);
  return (event, context) => handler(event, context);
};
