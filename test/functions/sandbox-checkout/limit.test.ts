import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { ACTION_LIMITS } from '../../../functions/sandbox-checkout/action-limiter.ts';
import { ACTIONS } from '../../../functions/sandbox-checkout/actions.ts';
import { actionsId } from '../../../lib/carts/action-buckets.ts';
import { aroundCalls } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { givenSandbox, type PageResponse, type TestSandbox, textOf } from './sandbox.ts';

const database = await givenDatabase();
/** The operations of DynamoDB's calls so far. */
const calls: string[] = [];
aroundCalls(database.documents, ({ operation, input }, next) => {
  calls.push(operation);
  return next(input);
});

let sandbox: TestSandbox;
let id: string;
beforeEach(async () => {
  sandbox = await givenSandbox(undefined, database);
  id = await sandbox.givenCart();
});

const submit = (action: string): Promise<PageResponse> => sandbox.submit(id, `action=${action}`);

const submitAtOnce = (count: number, action: string): Promise<PageResponse[]> =>
  Promise.all(Array.from({ length: count }, () => submit(action)));

const countOf = (responses: readonly PageResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;

const bucket = async () => {
  const { documents, tableNames } = database;
  const Key = { id: actionsId(id) };
  return (await documents.send(new GetCommand({ TableName: tableNames.testCarts, Key }))).Item;
};

it('of 30 actions at once, a test cart takes ten, and rejects 20 with 429; six seconds later, it takes one more', async () => {
  const responses = await submitAtOnce(30, 'decline');
  expect([countOf(responses, 303), countOf(responses, 429)]).toStrictEqual([10, 20]);
  expect((await sandbox.stored(id)).payments).toHaveLength(10);

  sandbox.clock.advance(5.999);
  expect((await submit('pay')).status).toBe(429);
  sandbox.clock.advance(0.001);
  const later = await submitAtOnce(2, 'pay');
  expect([countOf(later, 303), countOf(later, 429)]).toStrictEqual([1, 1]);
});

it('after a minute of rest, a test cart takes ten actions again, and no more', async () => {
  await submitAtOnce(10, 'leave');
  sandbox.clock.advance(ACTION_LIMITS.windowSeconds);
  expect(countOf(await submitAtOnce(12, 'leave'), 303)).toBe(10);
});

it('each action counts, also one with a notice; opening the page and rejected requests do not', async () => {
  await submit('pay_back');
  await sandbox.submit(id, 'action=pay', { headers: { 'Sec-Fetch-Site': 'cross-site' } });
  for (const action of [...ACTIONS, 'wrong_amount']) expect((await submit(action)).status).toBe(303);
  expect((await submit('leave')).status).toBe(429);
  expect((await sandbox.show(id)).status).toBe(200);
});

it('the limit of a cart does not affect other carts, and an action on an unknown cart writes no limit', async () => {
  await submitAtOnce(11, 'leave');
  const other = await sandbox.givenCart();
  expect((await sandbox.submit(other, 'action=pay')).status).toBe(303);

  calls.length = 0;
  expect((await sandbox.submit(randomUUID(), 'action=pay')).status).toBe(404);
  expect(calls).toStrictEqual(['GetItem']);
});

it('a payment keeps the limit, and the limit is deleted only when it is full again', async () => {
  await submitAtOnce(10, 'pay');
  expect((await submit('refund')).status).toBe(429);
  const { deleteAtSeconds, tatMicros } = (await bucket()) as Record<string, number>;
  expect(deleteAtSeconds! * 1e6).toBeGreaterThanOrEqual(tatMicros!);
});

it.each([
  ['the first', 0, ['GetItem', 'UpdateItem']],
  // The first write shows that the bucket is not full.
  ['one of several', 1, ['GetItem', 'UpdateItem', 'UpdateItem']],
  ['a limited', 10, ['GetItem', 'UpdateItem']],
])('%s action makes no call but these before it changes the cart', async (_, before, expected) => {
  await submitAtOnce(before, 'leave');
  calls.length = 0;
  await submit('leave');
  expect(calls).toStrictEqual(expected);
});

it('a limited action gets a page in either language, with the seconds to wait', async () => {
  await submitAtOnce(10, 'leave');
  sandbox.clock.advance(2.5);
  const lines = await logged(async () => {
    const page = await submit('pay');
    expect(page.headers).toMatchObject({ 'retry-after': '4', 'content-type': 'text/html; charset=utf-8' });
    expect(textOf(page)).toContain('Too many attempts');
  });
  expect(lines).toMatchObject([{ status: 429, code: 'RATE_LIMITED', RequestsLimited: 1 }]);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Language': 'fr' };
  expect(textOf(await sandbox.submit(id, 'action=pay', { headers }))).toContain('Trop de tentatives');
  expect(await sandbox.stored(id)).not.toHaveProperty('payments');
});
