import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { admission, type AdmissionOptions, type AdmittedRequest } from './admission.ts';
import { errorShaping } from './error-shaping.ts';
import { lowerCaseHeaderNames } from './header-names.ts';
import { jsonBody } from './json-body.ts';
import { parseInput, type ParseInput } from './parse-input.ts';
import { requestLog } from './request-log.ts';
import type { RequestState } from './request-state.ts';
import { responseHeaders } from './response-headers.ts';

/**
 * The database's budget ends a request long before Lambda would. Should the handler wait in spite of it, this much time
 * is kept for a shaped error.
 */
export const RESPONSE_RESERVE_MS = 250;

export interface ApiOperation<Input, Resource> extends AdmissionOptions<Input, Resource> {
  /** The operation's name in the document. */
  readonly operation: string;
  /** `json` for an operation whose request has a body. */
  readonly body: 'json' | 'none';
  readonly parse: ParseInput<Input>;
  /** ApiResponses an admitted request; a refusal of its own is thrown as an `ApiError`. */
  readonly handle: (request: AdmittedRequest<Input, Resource>) => Promise<APIGatewayProxyResult>;
}

/** A Lambda function behind API Gateway's REST proxy integration. */
export type ProxyFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * The pipeline of every operation that a store's API key opens. Middy runs `before` from top to bottom, `after` and
 * `onError` from bottom to top: so errors are shaped first, then completed with headers, then logged.
 */
export const apiOperation = <Input, Resource>(options: ApiOperation<Input, Resource>): ProxyFunction => {
  const { operation, body, parse, handle, now } = options;
  const handler = middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context, RequestState>({
    timeoutEarlyInMillis: RESPONSE_RESERVE_MS,
  })
    .use(requestLog(operation, now))
    .use(responseHeaders())
    .use(errorShaping())
    .use(lowerCaseHeaderNames())
    .use(body === 'json' ? [jsonBody()] : [])
    .use(parseInput(parse))
    .use(admission(options))
    // `admission` has put the admitted request in the event's place.
    .handler((event) => handle(event as unknown as AdmittedRequest<Input, Resource>));
  return (event, context) => handler(event, context);
};
