import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../../lib/api-keys/api-key.ts';
import { createPaymentStore } from '../../../lib/carts/payment-store.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { recordPayment } from '../../../lib/carts/record-payment.ts';
import { eventLogOf, lateErasuresOf } from '../../support/events.ts';
import { expectFailure } from '../../support/expect-sentence.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { givenOperatedService, operate, type OperatedService } from '../../support/operate.ts';
import { CREATED_AT_MS, payment, waitingCart } from '../../support/payments.ts';
import { BUYER } from '../../support/secrets.ts';
import { cartBody, STORE_ID } from '../../support/service.ts';

let stage: OperatedService;
let cartId: string;

/** Records a payment on the cart. */
const pay = (paid: Payment, id = cartId) => {
  const payments = createPaymentStore(
    stage.documents,
    stage.tableNames.testCarts,
    eventLogOf(stage),
    lateErasuresOf(stage),
  );
  return recordPayment({ cartId: id, mode: 'test', payment: paid }, { carts: stage.carts.test, payments });
};

beforeAll(async () => {
  stage = await givenOperatedService();
  const apiKey = await stage.givenKey();
  cartId = cartIdOf(await stage.createCart(cartBody(await stage.givenProduct()), { apiKey }));
  for (const result of ['failed', 'succeeded'] as const) {
    stage.clock.advance(60);
    const occurredAtMs = stage.clock.now();
    await pay(payment({ result, occurredAtMs }));
  }
  return stage.close;
});

describe('carts show', () => {
  test('shows the cart, its buyer and its timeline', async () => {
    const shown = await stage.runJson<Record<string, unknown>>('carts', 'show', cartId.toUpperCase());
    expect(shown).toMatchObject({
      id: cartId,
      storeId: STORE_ID,
      mode: 'test',
      status: 'completed',
      customerInfo: BUYER,
      duplicatePaymentIds: [],
      timeline: [{ what: 'created' }, { what: 'paymentFailed' }, { what: 'paymentSucceeded' }],
    });
  });

  test('shows a person the timeline without the buyer', async () => {
    const { stdout } = await stage.run(['carts', 'show', cartId]);
    expect(stdout).toContain(`Cart ${cartId}`);
    expect(stdout).toMatch(/^ {2}\S+Z {2}paymentFailed .+\n {2}\S+Z {2}paymentSucceeded .+$/m);
    expect(stdout).not.toContain(BUYER.email);
    expect(stdout).not.toContain('give it back');
  });

  test('names every duplicate payment, with the payment that completed the cart', async () => {
    const cart = waitingCart({ mode: 'test', storeId: randomUUID() });
    const { id } = (await stage.carts.test.create(cart)).cart;
    const [completing, earlier, later] = [0, -1_000, 1_000].map((ms) =>
      payment({ occurredAtMs: CREATED_AT_MS + 60_000 + ms }),
    );
    for (const each of [completing, earlier, later]) await pay(each!, id);
    const { paymentId } = completing!;
    const duplicates = [earlier!.paymentId, later!.paymentId];
    expect(await stage.runJson('carts', 'show', id)).toMatchObject({
      paymentId,
      duplicatePaymentIds: duplicates,
      timeline: [
        { what: 'created' },
        { what: 'duplicatePayment', payment: earlier },
        { what: 'paymentSucceeded', payment: completing },
        { what: 'duplicatePayment', payment: later },
      ],
    });
    const { stdout } = await stage.run(['carts', 'show', id]);
    expect(stdout).toContain(`, payment ${paymentId}\n`);
    for (const duplicate of duplicates)
      expect(stdout).toContain(`Duplicate payment ${duplicate}: give it back\n`);
    expect(stdout.match(/^ {2}\S+Z {2}duplicatePayment /gm)).toHaveLength(2);
  });

  test('reports an unknown id and an invalid one', async () => {
    const unknown = randomUUID();
    const words = new RegExp(`^No cart has the id ${unknown}\\.\n$`);
    expectFailure(await stage.run(['carts', 'show', unknown]), 1, words);
    expectFailure(await stage.run(['carts', 'show', 'cart-1']), 2, /^A cart id is a UUID/);
  });
});

describe('carts list', () => {
  const list = (...flags: readonly string[]) =>
    stage.runJson<{ carts: { id: string }[] }>('carts', 'list', '--store', ...flags);

  test("shows a store's carts, optionally of one status, without buyers", async () => {
    expect(await list(STORE_ID)).toMatchObject({ carts: [{ id: cartId, status: 'completed' }] });
    const completed = await list(STORE_ID, '--status', 'completed');
    expect(completed).toMatchObject({ carts: [{ id: cartId }] });
    expect(JSON.stringify(completed)).not.toContain(BUYER.email);
    expect(await list(STORE_ID, '--status', 'waiting_payment')).toStrictEqual({ carts: [] });
    expect(await list(await stage.givenStore('another-store'))).toStrictEqual({ carts: [] });
  });

  test('shows the carts of either mode, of test carts also those in the table of earlier releases', async () => {
    const storeId = await stage.givenStore(randomUUID());
    const create = async (mode: Mode, table: Mode) =>
      (await stage.carts[table].create(waitingCart({ storeId, mode }))).cart.id;
    const live = await create('live', 'live');
    const inTest = await create('test', 'test');
    const earlier = await create('test', 'live');
    const idsOf = async (...flags: readonly string[]) =>
      (await list(storeId, ...flags)).carts.map(({ id }) => id).toSorted();
    expect(await idsOf()).toStrictEqual([live, inTest, earlier].toSorted());
    expect(await idsOf('--mode', 'live')).toStrictEqual([live]);
    expect(await idsOf('--mode', 'test')).toStrictEqual([inTest, earlier].toSorted());
    for (const id of [live, inTest, earlier])
      expect(await stage.runJson('carts', 'show', id)).toMatchObject({ id });
  });

  test('shows a person a table', async () => {
    const { stdout } = await stage.run(['carts', 'list', '--store', STORE_ID]);
    expect(stdout).toMatch(/^ID +MODE +STATUS +CREATED \(UTC\) +PRODUCT +PRICE\n/);
    expect(stdout).toMatch(/^\S{36} {2}test {2}completed {2}2026-01-15 12:30 {2}product-\S+ {2}19\.99 EUR$/m);
  });
});

test('dead-letters reports that the local stage has none', async () => {
  const ended = await operate(['dead-letters', 'list', '--dynamodb', 'http://127.0.0.1:1']);
  expectFailure(ended, 1, /^The local stage has no dead letters, .+ --stage\.\n$/);
});

test('accept reports that the address of a stage on other data is unknown', async () => {
  expectFailure(await operate(['accept', '--dynamodb', 'http://127.0.0.1:1']), 1, /--base-url/);
});
