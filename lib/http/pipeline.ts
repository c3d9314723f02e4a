import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import { apiKey } from './api-key.ts';
import { admission, type AdmissionOptions, type AdmittedEvent, type AdmittedRequest } from './admission.ts';
import { errorShaping } from './error-shaping.ts';
import { lowerCaseHeaderNames } from './header-names.ts';
import { jsonBody } from './json-body.ts';
import { parseInput, type ParseInput } from './parse-input.ts';
import { requestLog } from './request-log.ts';
import type { RequestState } from './request-state.ts';
import { responseHeaders } from './response-headers.ts';

/** No early end by Middy: the deadline of the database calls ends whatever a handler waits for. */
export const MIDDY = { timeoutEarlyInMillis: 0 };

interface ApiOperation<Input, Resource = undefined> extends AdmissionOptions<Input, Resource> {
  /** The operation's name in `functions/operations.ts`, or the name of several. */
  readonly operation: string;
  /** Whether the log line has the method and the path, without ids. Set it if `operation` names several operations. */
  readonly logsRoute?: boolean;
  readonly body: 'json' | 'none';
  readonly parse: ParseInput<Input>;
  /** The machine's clock, from which each request gets its own. */
  readonly now: Clock;
  /** Handles an admitted request. It throws an `ApiError` to reject the request. */
  readonly handle: (request: AdmittedRequest<Input, Resource>) => Promise<APIGatewayProxyResult>;
}

/** A Lambda function behind API Gateway's REST proxy integration. */
export type ProxyFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * The pipeline of every operation that needs an API key. Middy runs `before` from top to bottom, `after` and `onError`
 * from bottom to top. An error gets its response, then the headers of every response, then its log line.
 */
export const apiOperation = <Input, Resource = undefined>(
  options: ApiOperation<Input, Resource>,
): ProxyFunction => {
  const { operation, logsRoute, body, parse, handle, authenticator, now } = options;
  const handler = middy<AdmittedEvent<Input, Resource>, APIGatewayProxyResult, Error, Context, RequestState>(
    MIDDY,
  )
    .use(requestLog(operation, now, logsRoute))
    .use(responseHeaders())
    .use(errorShaping())
    .use(lowerCaseHeaderNames())
    .use(apiKey(authenticator))
    .use(body === 'json' ? [jsonBody()] : [])
    .use(parseInput(parse))
    .use(admission(options))
    .handler(({ admitted }) => handle(admitted));
  // The assertion holds in the handler: `admission` adds `admitted` or throws.
  return (event, context) => handler(event as AdmittedEvent<Input, Resource>, context);
};
