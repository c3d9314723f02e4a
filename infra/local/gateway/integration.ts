import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { errorResponse, functionResponse, type ApiResponse } from './response.ts';

/** Why a function gave no usable answer: for the operator's eyes, never the client's. */
export interface IntegrationFailure {
  readonly functionName: string;
  /** The gateway's request id, which the client has as `X-Request-Id`. */
  readonly requestId: string;
  /** What the function threw, or an Error that says what was wrong with its answer. */
  readonly reason: unknown;
}

/** Takes note of a failure; it must not throw. */
export type FailureReport = (failure: IntegrationFailure) => void;

interface Integration {
  readonly handler: ProxyFunction;
  readonly timeoutMs: number;
  readonly reportFailure: FailureReport;
}

/**
 * Invokes a function and turns whatever comes of it into an answer. A throw and a malformed result are API Gateway's
 * integration failure (500), silence past the time limit its integration timeout (504); a late answer is dropped.
 */
export const respondByFunction = async (
  { handler, timeoutMs, reportFailure }: Integration,
  event: APIGatewayProxyEvent,
  context: Context,
): Promise<ApiResponse> => {
  const { requestId } = event.requestContext;
  const fail = (reason: unknown, kind: 'internal' | 'integrationTimeout'): ApiResponse => {
    reportFailure({ functionName: context.functionName, requestId, reason });
    return errorResponse(API_ERRORS[kind], requestId);
  };

  const outcome = await invoke(handler, event, context, timeoutMs);
  if (outcome.kind === 'threw') return fail(outcome.reason, 'internal');
  if (outcome.kind === 'timedOut') {
    return fail(new Error(`The function did not answer within ${timeoutMs} ms`), 'integrationTimeout');
  }
  const answer = functionResponse(outcome.result);
  return answer ?? fail(new Error('The function returned a malformed result'), 'internal');
};

type Outcome =
  | { readonly kind: 'returned'; readonly result: unknown }
  | { readonly kind: 'threw'; readonly reason: unknown }
  | { readonly kind: 'timedOut' };

const invoke = async (
  handler: ProxyFunction,
  event: APIGatewayProxyEvent,
  context: Context,
  timeoutMs: number,
): Promise<Outcome> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timedOut' }), timeoutMs);
  });
  // Caught inside, so that a rejection after the timeout is not an unhandled one.
  const run = async (): Promise<Outcome> => {
    try {
      return { kind: 'returned', result: await handler(event, context) };
    } catch (reason) {
      return { kind: 'threw', reason };
    }
  };
  try {
    return await Promise.race([run(), timeout]);
  } finally {
    clearTimeout(timer);
  }
};
