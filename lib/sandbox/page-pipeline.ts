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
  /** ApiResponses a request whose header names are in lower case; a refusal is thrown as an `ApiError`. */
  readonly handle: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
}

/**
 * The pipeline of pages, which are for anybody who has their address. Middy runs `before` from top to bottom, `onError`
 * from bottom to top: so errors become pages first, then get the headers of every answer, then are logged.
 */
export const pageOperation = ({ operation, now, handle }: PageOperation): ProxyFunction => {
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context, RequestState>({
    timeoutEarlyInMillis: RESPONSE_RESERVE_MS,
  })
    .use(requestLog(operation, now))
    .use(responseHeaders())
    .use(errorPages())
    .use(lowerCaseHeaderNames())
    .handler(handle);
  return (event, context) => handler(event, context);
};
