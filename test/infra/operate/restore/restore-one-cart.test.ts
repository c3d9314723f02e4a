import { randomUUID } from 'node:crypto';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { toCartItem } from '../../../../lib/carts/cart-item.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { DAY_MS } from '../../../../lib/core/durations.ts';
import { createErasureLedger } from '../../../../lib/operators/erasures/erasure-ledger.ts';
import { isWrite } from '../../../support/database/consumed-units.ts';
import { startDynamodbProxy } from '../../../support/database/dynamodb-proxy.ts';
import { payment, waitingCart } from '../../../support/domain/payments.ts';
import { givenOperatedService } from '../../../support/operators/deployed-stage.ts';
import { givenRestores, type RestoreCounts } from '../../../support/operators/restore.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

const stage = await givenOperatedService();
const nowMs = stage.clock.now();
const tables = givenRestores(stage);

afterAll(stage.close);

/** A lost cart with two payments of one id, of which the second succeeded, and one that another cart took. */
const givenLost = async (from: string) => {
  const [ownId, otherId] = [randomUUID(), randomUUID()];
  const payments = [
    payment({ paymentId: ownId, result: 'failed' }),
    payment({ paymentId: ownId }),
    payment({ paymentId: otherId, result: 'failed' }),
  ];
  const cart = waitingCart({ status: 'completed', payments, updatedAtMs: nowMs, completedAtMs: nowMs });
  await tables.put(from, toCartItem(cart));
  await tables.put(from, { id: `payment#${ownId}`, cartId: cart.id });
  await tables.put(from, { id: `payment#${otherId}`, cartId: randomUUID() });
  return { cart, claim: `payment#${ownId}`, otherClaim: `payment#${otherId}` };
};

const restoreOne = async (...flags: readonly string[]): Promise<RestoreCounts> => {
  const { exitCode, stdout, stderr } = await tables.restore([...flags, '--yes', '--json']);
  expect({ exitCode, stderr }).toStrictEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as RestoreCounts;
};

const isStored = async (id: string): Promise<boolean> =>
  (await tables.find(stage.tableNames.carts, { id })) !== undefined;

test('--cart copies one cart with the claims of its own payments and the reports about it, and no other item', async () => {
  const from = await tables.givenRestored();
  const { cart, claim, otherClaim } = await givenLost(from);
  const reports = `reports#${cart.id}`;
  await tables.put(from, { id: reports, cartId: cart.id, reports: [payment()] });
  const other = waitingCart({ expiresAtMs: nowMs + DAY_MS });
  await tables.put(from, toCartItem(other));
  const flags = ['--from', from, '--cart', cart.id.toUpperCase()];
  const found = { cartId: cart.id, items: 3, missing: 3 };

  expect(await restoreOne(...flags, '--dry-run')).toMatchObject({ ...found, copied: 0 });
  expect(await isStored(cart.id)).toBe(false);
  stage.aws.logs.events.length = 0;
  expect(await restoreOne(...flags)).toMatchObject({ ...found, copied: 3 });
  expect(await stage.carts.live.find(cart.id)).toMatchObject({ id: cart.id, status: 'completed' });
  expect(await tables.find(stage.tableNames.carts, { id: claim })).toMatchObject({
    cartId: cart.id,
  });
  expect(await isStored(reports)).toBe(true);
  expect(await Promise.all([otherClaim, other.id].map(isStored))).toStrictEqual([false, false]);
  expect(JSON.parse(stage.aws.logs.events[0]?.message ?? '')).toMatchObject({ ids: { cartId: cart.id } });
});

test('a copy counts as copied if the response to its write was lost', async () => {
  const from = await tables.givenRestored();
  const { cart } = await givenLost(from);
  const proxy = await startDynamodbProxy(stage.dynamodbEndpoint);
  onTestFinished(() => proxy.close());
  proxy.setFault({ fateOf: (call) => (isWrite(call) && call.attempt === 1 ? 'lost' : 'forwarded') });
  const { stdout } = await tables.restore(['--from', from, '--cart', cart.id, '--yes', '--json'], {
    environment: { AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint },
  });
  expect(JSON.parse(stdout)).toMatchObject({ missing: 2, copied: 2, overtaken: 0 });
  expect(proxy.calls.filter(isWrite)).toHaveLength(4);
});

test('--cart with --all replaces that cart alone', async () => {
  const from = await tables.givenRestored();
  const carts = [waitingCart({ productName: 'Then' }), waitingCart({ productName: 'Then' })];
  for (const cart of carts) {
    await tables.put(from, toCartItem({ ...cart, deleteAtSeconds: nowMs }));
    await stage.carts.live.create({ ...cart, productName: 'Now', deleteAtSeconds: nowMs });
  }
  const [first, second] = carts as [Cart, Cart];

  expect(await restoreOne('--from', from, '--cart', first.id, '--all')).toMatchObject({
    items: 1,
    copied: 1,
  });
  expect(await stage.carts.live.find(first.id)).toMatchObject({ productName: 'Then' });
  expect(await stage.carts.live.find(second.id)).toMatchObject({ productName: 'Now' });
});

test('the question, the result and an unknown cart name the cart', async () => {
  const from = await tables.givenRestored();
  const { cart } = await givenLost(from);
  const asked = await tables.restore(['--from', from, '--cart', cart.id], { typed: 'no\n' });
  expect(asked.stderr).toContain(`Copying missing items of the cart ${cart.id} of Carts at ${tables.at}`);
  const { stdout } = await tables.restore(['--from', from, '--cart', cart.id, '--yes']);
  expect(stdout).toContain(`The cart ${cart.id} had 2 items at ${tables.at}:\n`);
  const unknown = await tables.restore(['--from', from, '--cart', randomUUID(), '--yes']);
  expectFailure(unknown, 1, /has no cart .*: choose another time/);
});

test('a dry run says what it would copy, and not that it did', async () => {
  const from = await tables.givenRestored();
  const { cart: lost } = await givenLost(from);
  const [erased, gone, changed] = [
    waitingCart({ deleteAtSeconds: nowMs }),
    waitingCart({ deleteAtSeconds: 1 }),
    waitingCart({ deleteAtSeconds: nowMs, productName: 'Then' }),
  ] as const;
  for (const cart of [erased, gone, changed]) await tables.put(from, toCartItem(cart));
  await tables.put(from, {
    ...toCartItem(waitingCart({ deleteAtSeconds: nowMs })),
    schemaVersion: 2,
  });
  await stage.carts.live.create({ ...changed, productName: 'Now' });
  const ledger = createErasureLedger(stage.documents, stage.tableNames.erasures);
  await ledger.add([{ cartId: erased.id, mode: 'live', erasedAtMs: nowMs }]);

  const linesOf = async (...flags: readonly string[]) =>
    (await tables.restore(['--from', from, '--dry-run', ...flags])).stdout.trimEnd().split('\n').slice(1);
  const lines = await linesOf();
  expect(lines).toStrictEqual([
    '  4 missing in the live table',
    '  1 different: only --all replaces them',
    '  1 past the time to live: never copied',
    '  1 unreadable: never copied',
    '  4 would be copied',
    '  1 would be copied without buyer data, because it was erased since',
  ]);
  expect(await linesOf('--all')).toContain('  5 would be copied');
  expect(await isStored(lost.id)).toBe(false);
});

test.each<[string, readonly string[], RegExp]>([
  ['a table without carts', ['--table', 'Products', '--cart', randomUUID()], /--cart needs --table Carts/],
  ['a malformed id', ['--cart', 'cart-1'], /UUID/],
])('--cart rejects %s with exit code 2', async (_what, flags, words) => {
  expectFailure(await tables.restore(['--from', 'restored', ...flags, '--yes']), 2, words);
});
