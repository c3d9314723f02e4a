import type { APIGatewayProxyResult } from 'aws-lambda';
import { DATABASE_BUDGET_MS } from '../../lib/dynamodb.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { FUNCTION_TIMEOUT_MS } from '../../functions/operations.ts';
import { type Limiter, limitConcurrency } from './concurrency.ts';

/**
 * How many invocations run at once. Lambda would start more environments; here the others wait. Each invocation makes two
 * calls at a time, and the SDK has 50 sockets. A call that waits for a socket would spend its time limit.
 */
const INVOCATIONS_MAX = 25;

/** The limiter that all functions of a stage share. */
export const limitInvocations = (): Limiter => limitConcurrency(INVOCATIONS_MAX);

/** The response after a queue timeout. */
const overloaded = (requestId: string): APIGatewayProxyResult => {
  const { status, code, message } = API_ERRORS.serviceUnavailable;
  return {
    statusCode: status,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId, 'Retry-After': '1' },
    body: JSON.stringify({ code, message }),
  };
};

/**
 * How long an invocation may wait for its turn. The wait, the database's budget and 250 ms for the response stay under the
 * 5 s within which a client gets its response.
 */
const WAIT_MS_MAX = 5_000 - DATABASE_BUDGET_MS - 250;

/**
 * A function that runs when its turn comes. After too long a wait it does not start, and the response is 503.
 *
 * @param load loads the function
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
