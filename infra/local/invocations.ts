import type { APIGatewayProxyResult } from 'aws-lambda';
import { DATABASE_BUDGET_MS } from '../../lib/dynamodb.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { FUNCTION_TIMEOUT_MS } from '../../functions/operations.ts';
import { type Limiter, limitConcurrency } from './concurrency.ts';

/**
 * How many invocations run at once; the others wait, where Lambda would start more environments. Each makes two calls
 * at a time and the SDK has 50 sockets: a call that waited for one would spend its time limit doing so.
 */
const INVOCATIONS_MAX = 25;

/** What all functions of a stage wait for together. */
export const limitInvocations = (): Limiter => limitConcurrency(INVOCATIONS_MAX);

/** What an invocation is answered that waited too long for its turn. */
const overloaded = (requestId: string): APIGatewayProxyResult => {
  const { status, code, message } = API_ERRORS.serviceUnavailable;
  return {
    statusCode: status,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId, 'Retry-After': '1' },
    body: JSON.stringify({ code, message }),
  };
};

/**
 * How long an invocation may wait for its turn. After it come the database's budget and some time to answer in, and all of
 * it must stay under the 5 s in which a caller has an answer.
 */
const WAIT_MS_MAX = 5_000 - DATABASE_BUDGET_MS - 250;

/**
 * A function that runs when its turn comes. One that waited too long could be answered too late for what was done: then
 * nothing is begun, and the answer is 503.
 *
 * @param load the function, once it can be had
 */
export const inTurn =
  (limited: Limiter, load: () => Promise<ProxyFunction>): ProxyFunction =>
  (event, context) =>
    limited(async () => {
      const handler = await load();
      return context.getRemainingTimeInMillis() < FUNCTION_TIMEOUT_MS - WAIT_MS_MAX
        ? overloaded(event.requestContext.requestId)
        : handler(event, context);
    });
