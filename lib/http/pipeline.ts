import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import { type AdmissionOptions, type AdmittedRequest, admit } from './admission.ts';
import { startDatabaseDeadline } from './database-deadline.ts';
import { errorShaping } from './error-shaping.ts';
import { lowerCaseHeaderNames } from './header-names.ts';
import { type InputOptions, readInput } from './parse-input.ts';
import { requestClock } from './request-clock.ts';
import { readKey } from './request-key.ts';
import { requestLog } from './request-log.ts';
import type { Middleware, MiddyRequest, RequestState } from './request-state.ts';
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

/** An event with the admitted request, which {@link admission} adds for the handler. */
interface AdmittedEvent<Input, Resource> extends APIGatewayProxyEvent {
  admitted: AdmittedRequest<Input, Resource>;
}

/** Admits a request in three steps: its key, its input, its admission. Each step needs the results of those before. */
const admission = <Input, Resource>(
  options: ApiOperation<Input, Resource>,
): Middleware<AdmittedEvent<Input, Resource>> => {
  const cancelDeadline = ({ internal }: { readonly internal: RequestState }): void =>
    internal.deadline?.cancel();
  const before = async (request: MiddyRequest<AdmittedEvent<Input, Resource>>): Promise<void> => {
    const { event, context, internal } = request;
    const now = requestClock(event.requestContext.requestTimeEpoch, options.now);
    const key = readKey(event, { authenticator: options.authenticator, nowMs: now() }, internal);
    const parsed = readInput(request, key, options);
    internal.deadline = startDatabaseDeadline(context);
    const { signal } = internal.deadline;
    event.admitted = await admit(key, parsed, options, { now, signal }, internal);
  };
  return { before, after: cancelDeadline, onError: cancelDeadline };
};

/**
 * The pipeline of every operation that needs an API key. Middy runs `before` from top to bottom, `after` and `onError`
 * from bottom to top. An error gets its response, then the headers of every response, then its log line.
 */
export const apiOperation = <Input, Resource = undefined>(
  options: ApiOperation<Input, Resource>,
): ProxyFunction => {
  const { operation, logsRoute, handle, now } = options;
  const handler = middy<AdmittedEvent<Input, Resource>, APIGatewayProxyResult, Error, Context, RequestState>(
    MIDDY,
  )
    .use(requestLog(operation, now, logsRoute))
    .use(responseHeaders())
    .use(errorShaping())
    .use(lowerCaseHeaderNames())
    .use(admission(options))
    .handler(({ admitted }) => handle(admitted));
  // The assertion holds in the handler: `admission` adds `admitted` or throws.
  return (event, context) => handler(event as AdmittedEvent<Input, Resource>, context);
};
