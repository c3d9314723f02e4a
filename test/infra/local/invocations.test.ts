import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../infra/local/invocations.ts';
import { FUNCTION_TIMEOUT_MS } from '../../../functions/operations.ts';
import { DATABASE_BUDGET_MS } from '../../../lib/dynamodb.ts';

/** A client gets its response within this time, whatever the database does. */
const RESPONSE_MS_MAX = 5_000;

/** Invokes a function that has waited this long for its turn. Returns whether it began, and its status. */
const invokeAfter = async (waitedMs: number): Promise<{ status: number; isBegun: boolean }> => {
  let isBegun = false;
  const handler = () => {
    isBegun = true;
    return Promise.resolve({ statusCode: 200, body: '' });
  };
  const invoke = inTurn(
    (run) => run(),
    () => Promise.resolve(handler),
  );
  const context = { getRemainingTimeInMillis: () => FUNCTION_TIMEOUT_MS - waitedMs } as Context;
  const event = { requestContext: { requestId: 'r1' } } as APIGatewayProxyEvent;
  const { statusCode } = await invoke(event, context);
  return { status: statusCode, isBegun };
};

describe('an invocation whose turn has come', () => {
  it('begins if its response is still in time after the budget of the database', async () => {
    expect(await invokeAfter(0)).toStrictEqual({ status: 200, isBegun: true });
    expect(await invokeAfter(750)).toStrictEqual({ status: 200, isBegun: true });
  });

  it('gets the response 503 and does not begin if that would be too late', async () => {
    expect(await invokeAfter(751)).toStrictEqual({ status: 503, isBegun: false });
    // A wait that alone leaves the database no time at all.
    expect(await invokeAfter(RESPONSE_MS_MAX - DATABASE_BUDGET_MS)).toMatchObject({ status: 503 });
  });
});
