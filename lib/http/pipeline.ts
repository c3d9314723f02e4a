import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import { type AdmissionOptions, type AdmittedRequest, admit } from './admission.ts';
import { startDatabaseDeadline } from './database-deadline.ts';
import { errorShaping } from './error-shaping.ts';
import { type InputOptions, readInput } from './parse-input.ts';
import { receive, type ReceivedRequest } from './received-request.ts';
import { requestClock } from './request-clock.ts';
import { readKey } from './request-key.ts';
import { type LogName, requestLog } from './request-log.ts';
import { responseHeaders } from './response-headers.ts';

/** No early end by Middy: the deadline of the database calls ends whatever a handler waits for. */
export const MIDDY = { timeoutEarlyInMillis: 0 };

interface ApiOperation<Input, Resource = undefined>
  extends AdmissionOptions<Input, Resource>, InputOptions<Input> {
  readonly logName: LogName;
  /** The machine's clock, from which each request gets its own. */
  readonly now: Clock;
  /** Handles an admitted request. It throws an `ApiError` to reject the request. */
  readonly handle: (request: AdmittedRequest<Input, Resource>) => Promise<APIGatewayProxyResult>;
}

/** A Lambda function behind API Gateway's REST proxy integration. */
export type ProxyFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Admits a request by its headers, key and input, then handles it. Each step needs the results of those before. */
const handleRequest = async <Input, Resource>(
  request: ReceivedRequest,
  context: Context,
  options: ApiOperation<Input, Resource>,
): Promise<APIGatewayProxyResult> => {
  const { state } = request;
  const { authenticator } = options;
  const now = requestClock(request.requestContext.requestTimeEpoch, options.now);
  const key = readKey(request, { authenticator, nowMs: now() }, state);
  const parsed = readInput(request, key, options);
  state.testModeIssues = parsed.testModeIssues;
  const { signal, cancel } = startDatabaseDeadline(context);
  try {
    return await options.handle(await admit(key, parsed, options, { now, signal }, state));
  } finally {
    cancel();
  }
};

/**
 * The pipeline of every operation that needs an API key. Middy runs `before` from top to bottom, `after` and `onError`
 * from bottom to top. An error gets its response, then the headers of every response, then its log line.
 */
export const apiOperation = <Input, Resource = undefined>(
  options: ApiOperation<Input, Resource>,
): ProxyFunction => {
  const { logName, now } = options;
  const handler = middy<ReceivedRequest, APIGatewayProxyResult>(MIDDY)
    .use(requestLog(logName, now))
    .use(responseHeaders())
    .use(errorShaping())
    .handler((request, context) => handleRequest(request, context, options));
  return (event, context) => handler(receive(event, { startedAtMs: now() }), context);
};
