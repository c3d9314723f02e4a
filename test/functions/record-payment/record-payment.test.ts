import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordPayments } from '../../../functions/record-payment/handler.ts';
import { type CartStore, createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentStore } from '../../../lib/carts/payment-store.ts';
import type { PaymentStores } from '../../../lib/carts/record-payment.ts';
import { givenDatabase } from '../../support/database.ts';
import { logged } from '../../support/log-lines.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, waitingCart } from '../../support/payments.ts';

let carts: CartStore;
let testCarts: CartStore;
let stores: PaymentStores;
let testStores: PaymentStores;
beforeAll(async () => {
  const { documents, tableNames } = await givenDatabase();
  const storesOf = (table: string) => ({
    carts: createCartStore(documents, table),
    payments: createPaymentStore(documents, table),
  });
  const live = storesOf(tableNames.carts);
  const test = storesOf(tableNames.testCarts);
  stores = live;
  testStores = test;
  carts = live.carts;
  testCarts = test.carts;
});

const givenCart = async (): Promise<Cart> => {
  const cart = waitingCart();
  await carts.create(cart);
  return cart;
};

/** The text of an event of `docs/events.md`, as EventBridge puts it into a queue. */
const eventAbout = (cartId: string, detail: object = {}, type = 'payment.succeeded'): string =>
  JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': type,
    source: 'payments',
    account: '000000000000',
    time: '2026-01-15T12:31:00Z',
    region: 'us-east-1',
    resources: [],
    detail: {
      eventId: randomUUID(),
      cartId,
      paymentId: randomUUID(),
      amount: 19.99,
      currency: 'EUR',
      occurredAt: new Date(CREATED_AT_MS + 60_000).toISOString(),
      ...detail,
    },
  });

/** Delivers messages in one batch; the receive count is 1 for a first delivery. */
const deliver = (
  bodies: readonly string[],
  to: PaymentStores = stores,
  receiveCount = 1,
): Promise<SQSBatchResponse> => {
  const Records = bodies.map((body, index) => ({
    messageId: `message-${index}`,
    body,
    attributes: { ApproximateReceiveCount: String(receiveCount) },
  }));
  return recordPayments({ live: to, test: testStores })({ Records } as SQSEvent);
};

/** The metrics that log lines count, in the order of the lines. */
const countedIn = (lines: readonly Record<string, unknown>[]): string[] =>
  lines
    .filter((line) => '_aws' in line)
    .flatMap((line) => Object.keys(line).filter((name) => !['_aws', 'stage', 'mode'].includes(name)));

const DONE: SQSBatchResponse = { batchItemFailures: [] };
const RETRY: SQSBatchResponse = { batchItemFailures: [{ itemIdentifier: 'message-0' }] };

/** Delivers one message that must be retried; returns the log lines. */
const retried = (body: string, to = stores, receiveCount = 1): Promise<Record<string, unknown>[]> =>
  logged(async () => expect(await deliver([body], to, receiveCount)).toStrictEqual(RETRY));

describe('a payment event', () => {
  it('completes its cart, and is logged', async () => {
    const { id } = await givenCart();
    const paymentId = randomUUID();
    const lines = await logged(async () => {
      expect(await deliver([eventAbout(id, { paymentId })])).toStrictEqual(DONE);
    });
    expect(await carts.find(id)).toMatchObject({ status: 'completed', paymentId });
    expect(lines).toContainEqual(expect.objectContaining({ CartsCompleted: 1, stage: 'test' }));
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'payment', cartId: id, outcome: 'recorded', status: 'completed' }),
    );
  });

  const late = { status: 'completed', latePayment: true };
  it.each([
    ['in time', 'succeeded', EXPIRES_AT_MS - 1, ['CartsCompleted'], { status: 'completed' }],
    ['late', 'succeeded', EXPIRES_AT_MS, ['CartsCompleted', 'LatePayments'], late],
    ['that failed', 'failed', EXPIRES_AT_MS - 1, ['PaymentsFailed'], { status: 'payment_failed' }],
    ['that failed late', 'failed', EXPIRES_AT_MS, [], {}],
  ])('of a payment %s counts exactly its metrics', async (_, result, occurredAtMs, metrics, cart) => {
    const { id } = await givenCart();
    const occurredAt = new Date(occurredAtMs).toISOString();
    const lines = await logged(() => deliver([eventAbout(id, { occurredAt }, `payment.${result}`)]));
    expect(countedIn(lines)).toStrictEqual(metrics);
    expect(await carts.find(id)).toMatchObject(cart);
  });

  it('completes a test cart, in the table of test carts or in that of an earlier release', async () => {
    for (const { create, find } of [testCarts, carts]) {
      const { id } = (await create(waitingCart({ mode: 'test' }))).cart;
      expect(await deliver([eventAbout(id)])).toStrictEqual(DONE);
      expect(await find(id)).toMatchObject({ mode: 'test', status: 'completed' });
    }
  });

  it('that is delivered again is done, and counted once', async () => {
    const { id } = await givenCart();
    const body = eventAbout(id);
    const lines = await logged(async () => {
      expect(await deliver([body, body])).toStrictEqual(DONE);
      expect(await deliver([body])).toStrictEqual(DONE);
    });
    expect(lines.filter((line) => 'CartsCompleted' in line)).toHaveLength(1);
  });

  it('may have ids in capitals and times in any zone', async () => {
    const { id } = await givenCart();
    const event = eventAbout(id.toUpperCase(), { occurredAt: '2026-01-15T14:00:00+01:30' });
    expect(await deliver([event])).toStrictEqual(DONE);
    expect(await carts.find(id)).toMatchObject({ updatedAtMs: Date.UTC(2026, 0, 15, 12, 30) + 250 });
  });
});

describe('an event that cannot be recorded is retried, becomes a dead letter, and is counted', () => {
  it.each([
    ['another amount', { amount: 20 }],
    ['another currency', { currency: 'USD' }],
  ])('with %s', async (_, detail) => {
    const cart = await givenCart();
    const lines = await retried(eventAbout(cart.id, detail));
    expect(await carts.find(cart.id)).toStrictEqual(cart);
    expect(lines).toContainEqual(expect.objectContaining({ AmountMismatches: 1 }));
  });

  it('at its first delivery only', async () => {
    const { id } = await givenCart();
    const body = eventAbout(id, { amount: 20 });
    const deliveries = [];
    for (const receiveCount of [1, 2, 5]) deliveries.push(await retried(body, stores, receiveCount));
    expect(deliveries.map(countedIn)).toStrictEqual([['AmountMismatches'], [], []]);
    for (const lines of deliveries)
      expect(lines).toContainEqual(expect.objectContaining({ reason: 'amountMismatch' }));
  });

  it.each([
    ['an unknown cart', 'unknownCart', eventAbout(randomUUID())],
    ...[
      ['a text that is not JSON', 'payment'],
      ['JSON that is not an object', '"payment"'],
      ['another type', eventAbout(randomUUID(), {}, 'payment.refunded')],
      ['no detail', JSON.stringify({ 'detail-type': 'payment.succeeded' })],
      ['an amount above the maximum', eventAbout(randomUUID(), { amount: 1e16 }, 'payment.failed')],
      ['a negative amount', eventAbout(randomUUID(), { amount: -1 }, 'payment.failed')],
      ['a letter after the currency', eventAbout(randomUUID(), { currency: 'EURO' })],
      ['a letter before the currency', eventAbout(randomUUID(), { currency: 'eEUR' })],
      ...Object.entries({
        eventId: '',
        cartId: 'cart-1',
        paymentId: 'payment-1',
        amount: '19.99',
        currency: 'euro',
        occurredAt: 'yesterday',
      }).flatMap(([field, wrong]) => [
        [`an invalid ${field}`, eventAbout(randomUUID(), { [field]: wrong })],
        [`no ${field}`, eventAbout(randomUUID(), { [field]: undefined })],
      ]),
    ].map(([what = '', body = '']) => [what, 'malformedEvent', body] as const),
  ] as const)('with %s', async (_, reason, body) => {
    const lines = await retried(body);
    expect(lines).toContainEqual(expect.objectContaining({ UnusablePayments: 1 }));
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'WARN', message: 'payment', outcome: 'rejected', reason }),
    );
  });

  it('while the database is down, and the log repeats no error message', async () => {
    const { id } = await givenCart();
    const find = () => Promise.reject(new Error('the item was {secret}'));
    const lines = await retried(eventAbout(id), { ...stores, carts: { find } });
    expect(lines).toMatchObject([{ level: 'ERROR', message: 'payment', cartId: id, outcome: 'failed' }]);
    expect(JSON.stringify(lines)).not.toContain('{secret}');
  });

  it('and the other events of its batch are recorded', async () => {
    const { id } = await givenCart();
    expect(await deliver(['nonsense', eventAbout(id)])).toStrictEqual(RETRY);
    expect(await carts.find(id)).toMatchObject({ status: 'completed' });
  });
});

describe('two payments of one cart at the same time', () => {
  /** Stores whose first two reads both return before either payment is written, and the count of lost races. */
  const givenRace = () => {
    const bothRead = Promise.withResolvers<void>();
    let reads = 0;
    let lost = 0;
    const racing: PaymentStores = {
      carts: {
        find: async (...args) => {
          const cart = await carts.find(...args);
          reads += 1;
          if (reads === 2) bothRead.resolve();
          await bothRead.promise;
          return cart;
        },
      },
      payments: {
        save: async (...args) => {
          const saved = await stores.payments.save(...args);
          if (saved.outcome === 'overtaken') lost += 1;
          return saved;
        },
      },
    };
    return { racing, lost: () => lost };
  };

  it.each([
    ['failed', 'succeeded'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
  ])('are both in the timeline, whichever is written first: %s, %s', async (...results) => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await givenCart();
      const bodies = results.map((result, index) => {
        const occurredAt = new Date(CREATED_AT_MS + index * 1_000).toISOString();
        return eventAbout(id, { occurredAt }, `payment.${result}`);
      });
      const order = round % 2 === 0 ? bodies : bodies.toReversed();
      const { racing, lost } = givenRace();
      const responses = await Promise.all(order.map((body) => deliver([body], racing)));
      expect(responses).toStrictEqual([DONE, DONE]);
      expect(lost()).toBe(1);
      const cart = await carts.find(id);
      expect(cart?.payments?.map(({ result }) => result)).toStrictEqual(results);
      const linked = results.indexOf('succeeded');
      expect(cart).toMatchObject({
        status: linked === -1 ? 'payment_failed' : 'completed',
        paymentId: cart?.payments?.at(linked)?.paymentId,
      });
    }
  });
});
