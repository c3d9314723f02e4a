import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import { type AdmissionOptions, type AdmittedRequest, admit } from './admission.ts';
import { startDatabaseDeadline } from './database-deadline.ts';
import { errorShaping } from './error-shaping.ts';
import { readHeaders } from './header-names.ts';
import { type InputOptions, readInput } from './parse-input.ts';
import { requestClock } from './request-clock.ts';
import { readKey } from './request-key.ts';
import { requestLog } from './request-log.ts';
import type { RequestState } from './request-state.ts';
import { responseHeaders } from './response-headers.ts';

/** No early end by Middy: the deadline of the database calls ends whatever a handler waits for. */
export const MIDDY = { timeoutEarlyInMillis: 0 };

interface ApiOperation<Input, Resource = undefined>
  extends AdmissionOptions<Input, Resource>, InputOptions<Input> {
  /** The operation's name in `functions/operations.ts`, or the name of several. */
  readonly operation: string;
  /** Whether the log line has the method and the path, without ids. Set it if `operation` names several operations. */
  readonly logsRoute?: boolean;
  /** The machine's clock, from which each request gets its own. */
  readonly now: Clock;
  /** Handles an admitted request. It throws an `ApiError` to reject the request. */
  readonly handle: (request: AdmittedRequest<Input, Resource>) => Promise<APIGatewayProxyResult>;
}

/** A Lambda function behind API Gateway's REST proxy integration. */
export type ProxyFunction = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** An event with the state of its request, which Middy does not pass to handlers. */
interface StatefulEvent extends APIGatewayProxyEvent {
  state: RequestState;
}

/** Admits a request by its headers, key and input, then handles it. Each step needs the results of those before. */
const handleRequest = async <Input, Resource>(
  event: StatefulEvent,
  context: Context,
  options: ApiOperation<Input, Resource>,
): Promise<APIGatewayProxyResult> => {
  const { state } = event;
  const { authenticator } = options;
  const now = requestClock(event.requestContext.requestTimeEpoch, options.now);
  const headers = readHeaders(event);
  const key = readKey(headers, { authenticator, nowMs: now() }, state);
  const parsed = readInput(event, headers, key, options);
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
  const { operation, logsRoute, now } = options;
  const handler = middy<StatefulEvent, APIGatewayProxyResult, Error, Context, RequestState>(MIDDY)
    .use(requestLog(operation, now, logsRoute))
    .use(responseHeaders())
    .use(errorShaping())
    .before(({ event, internal }) => void (event.state = internal))
    .handler((event, context) => handleRequest(event, context, options));
  // The assertion holds in the handler, which runs after `before`.
  return (event, context) => handler(event as StatefulEvent, context);
};
