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
let stores: PaymentStores;
beforeAll(async () => {
  const { documents, tableNames } = await givenDatabase();
  carts = createCartStore(documents, tableNames.carts);
  stores = { carts, payments: createPaymentStore(documents, tableNames.carts) };
});

const givenCart = async (): Promise<Cart> => {
  const cart = waitingCart();
  await carts.create(cart);
  return cart;
};

/** The event of `docs/events.md`, as EventBridge puts it into a queue. */
const eventAbout = (cartId: string, detail: object = {}, type = 'payment.succeeded'): object => ({
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

/** Delivers messages for the first time, or for the so many-th. */
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
  return recordPayments(to)({ Records } as SQSEvent);
};

/** The metrics that log lines count, in the order of the lines. */
const countedIn = (lines: readonly Record<string, unknown>[]): string[] =>
  lines
    .filter((line) => '_aws' in line)
    .flatMap((line) => Object.keys(line).filter((name) => name !== '_aws' && name !== 'stage'));

const DONE: SQSBatchResponse = { batchItemFailures: [] };
const AGAIN: SQSBatchResponse = { batchItemFailures: [{ itemIdentifier: 'message-0' }] };

describe('a payment event', () => {
  it('completes its cart, and counts it', async () => {
    const { id } = await givenCart();
    const paymentId = randomUUID();
    const lines = await logged(async () => {
      expect(await deliver([JSON.stringify(eventAbout(id, { paymentId }))])).toStrictEqual(DONE);
    });
    expect(await carts.find(id)).toMatchObject({ status: 'completed', paymentId });
    expect(lines).toContainEqual(expect.objectContaining({ CartsCompleted: 1, stage: 'test' }));
    expect(lines).toContainEqual(
      expect.objectContaining({ message: 'payment', cartId: id, outcome: 'recorded', status: 'completed' }),
    );
  });

  it('of a late payment is counted as late too', async () => {
    const { id, expiresAtMs } = await givenCart();
    const occurredAt = new Date(expiresAtMs).toISOString();
    const lines = await logged(() => deliver([JSON.stringify(eventAbout(id, { occurredAt }))]));
    expect(await carts.find(id)).toMatchObject({ status: 'completed', latePayment: true });
    expect(lines).toContainEqual(expect.objectContaining({ LatePayments: 1 }));
  });

  it('of a failed payment fails its cart, and is counted', async () => {
    const { id } = await givenCart();
    const lines = await logged(() => deliver([JSON.stringify(eventAbout(id, {}, 'payment.failed'))]));
    expect(await carts.find(id)).toMatchObject({ status: 'payment_failed' });
    expect(lines).toContainEqual(expect.objectContaining({ PaymentsFailed: 1 }));
  });

  it.each([
    ['in time', 'succeeded', EXPIRES_AT_MS - 1, ['CartsCompleted']],
    ['late', 'succeeded', EXPIRES_AT_MS, ['CartsCompleted', 'LatePayments']],
    ['that failed', 'failed', EXPIRES_AT_MS - 1, ['PaymentsFailed']],
    ['that failed late', 'failed', EXPIRES_AT_MS, []],
  ])('of a payment %s is counted as that alone', async (_, result, occurredAtMs, metrics) => {
    const { id } = await givenCart();
    const occurredAt = new Date(occurredAtMs).toISOString();
    const event = eventAbout(id, { occurredAt }, `payment.${result}`);
    const lines = await logged(() => deliver([JSON.stringify(event)]));
    expect(countedIn(lines)).toStrictEqual(metrics);
  });

  it('that comes again is done with, and counted once', async () => {
    const { id } = await givenCart();
    const body = JSON.stringify(eventAbout(id));
    const lines = await logged(async () => {
      expect(await deliver([body, body])).toStrictEqual(DONE);
      expect(await deliver([body])).toStrictEqual(DONE);
    });
    expect(lines.filter((line) => 'CartsCompleted' in line)).toHaveLength(1);
  });

  it('may name ids in capitals and times in any zone', async () => {
    const { id } = await givenCart();
    const event = eventAbout(id.toUpperCase(), { occurredAt: '2026-01-15T14:00:00+01:30' });
    expect(await deliver([JSON.stringify(event)])).toStrictEqual(DONE);
    expect(await carts.find(id)).toMatchObject({ updatedAtMs: Date.UTC(2026, 0, 15, 12, 30) + 250 });
  });
});

describe('an event that cannot be recorded comes again, to become a dead letter, and is counted', () => {
  it.each([
    ['another amount', { amount: 20 }],
    ['another currency', { currency: 'USD' }],
  ])('with %s', async (_, detail) => {
    const cart = await givenCart();
    const lines = await logged(async () => {
      expect(await deliver([JSON.stringify(eventAbout(cart.id, detail))])).toStrictEqual(AGAIN);
    });
    expect(await carts.find(cart.id)).toStrictEqual(cart);
    expect(lines).toContainEqual(expect.objectContaining({ AmountMismatches: 1 }));
  });

  it('is counted the first time that it comes, not the others', async () => {
    const { id } = await givenCart();
    const body = JSON.stringify(eventAbout(id, { amount: 20 }));
    const lines = await logged(async () => {
      for (const receiveCount of [1, 2, 5]) {
        expect(await deliver([body], stores, receiveCount)).toStrictEqual(AGAIN);
      }
    });
    expect(lines.filter((line) => 'AmountMismatches' in line)).toHaveLength(1);
    expect(lines.filter((line) => line['reason'] === 'amountMismatch')).toHaveLength(3);
  });

  it('about an unknown cart', async () => {
    const lines = await logged(async () => {
      expect(await deliver([JSON.stringify(eventAbout(randomUUID()))])).toStrictEqual(AGAIN);
    });
    expect(lines).toContainEqual(expect.objectContaining({ UnusablePayments: 1 }));
    expect(lines).toContainEqual(expect.objectContaining({ outcome: 'rejected', reason: 'unknownCart' }));
  });

  it.each([
    ['no JSON', 'payment'],
    ['JSON that is no object', '"payment"'],
    ['another type', JSON.stringify(eventAbout(randomUUID(), {}, 'payment.refunded'))],
    ['no detail', JSON.stringify({ 'detail-type': 'payment.succeeded' })],
    ['more than any amount', JSON.stringify(eventAbout(randomUUID(), { amount: 1e16 }, 'payment.failed'))],
    ['less than no amount', JSON.stringify(eventAbout(randomUUID(), { amount: -1 }, 'payment.failed'))],
    ['a letter after the currency', JSON.stringify(eventAbout(randomUUID(), { currency: 'EURO' }))],
    ['a letter before the currency', JSON.stringify(eventAbout(randomUUID(), { currency: 'eEUR' }))],
    ...Object.entries({
      eventId: '',
      cartId: 'cart-1',
      paymentId: 'payment-1',
      amount: '19.99',
      currency: 'euro',
      occurredAt: 'yesterday',
    }).flatMap(([field, wrong]) => [
      [`a wrong ${field}`, JSON.stringify(eventAbout(randomUUID(), { [field]: wrong }))],
      [`no ${field}`, JSON.stringify(eventAbout(randomUUID(), { [field]: undefined }))],
    ]),
  ])('with %s', async (_, body) => {
    const lines = await logged(async () => {
      expect(await deliver([body ?? ''])).toStrictEqual(AGAIN);
    });
    expect(lines).toContainEqual(expect.objectContaining({ UnusablePayments: 1 }));
    expect(lines).toContainEqual(expect.objectContaining({ outcome: 'rejected', reason: 'malformedEvent' }));
  });

  it('while the database is down, with no word of the event in the log', async () => {
    const { id } = await givenCart();
    const down: PaymentStores = {
      ...stores,
      carts: { find: () => Promise.reject(new Error('the item was {secret}')) },
    };
    const lines = await logged(async () => {
      expect(await deliver([JSON.stringify(eventAbout(id))], down)).toStrictEqual(AGAIN);
    });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'ERROR', cartId: id, outcome: 'failed' }));
    expect(JSON.stringify(lines)).not.toContain('{secret}');
  });

  it('and is told by a line of the same name as any other payment', async () => {
    const lines = await logged(() => deliver(['nonsense']));
    expect(lines).toContainEqual(expect.objectContaining({ level: 'WARN', message: 'payment' }));

    const down: PaymentStores = { ...stores, carts: { find: () => Promise.reject(new Error('down')) } };
    const body = JSON.stringify(eventAbout(randomUUID()));
    expect(await logged(() => deliver([body], down))).toMatchObject([{ level: 'ERROR', message: 'payment' }]);
  });

  it('and takes no other event of its batch with it', async () => {
    const { id } = await givenCart();
    const bodies = ['nonsense', JSON.stringify(eventAbout(id))];
    expect(await deliver(bodies)).toStrictEqual(AGAIN);
    expect(await carts.find(id)).toMatchObject({ status: 'completed' });
  });
});

describe('two payment functions that race for one cart', () => {
  const ROUNDS = 200;

  it.each([
    ['failed', 'succeeded'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
  ])(
    'make one legal cart of it, both payments in its timeline, in 200 rounds: %s, %s',
    async (...results) => {
      let overtaken = 0;
      const racing: PaymentStores = {
        carts,
        payments: {
          save: async (...args) => {
            const saved = await stores.payments.save(...args);
            if (saved.outcome === 'overtaken') overtaken += 1;
            return saved;
          },
        },
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await givenCart();
        const bodies = results.map((result, index) => {
          const occurredAt = new Date(CREATED_AT_MS + index * 1_000).toISOString();
          return JSON.stringify(eventAbout(id, { occurredAt }, `payment.${result}`));
        });
        // The later one may be first to come.
        const order = round % 2 === 0 ? bodies : bodies.toReversed();
        const answers = await Promise.all(order.map((body) => deliver([body], racing)));
        expect(answers).toStrictEqual([DONE, DONE]);
        const cart = await carts.find(id);
        expect(cart?.payments?.map(({ result }) => result)).toStrictEqual(results);
        const linked = results.indexOf('succeeded');
        expect(cart).toMatchObject({
          status: linked === -1 ? 'payment_failed' : 'completed',
          paymentId: cart?.payments?.at(linked)?.paymentId,
        });
      }
      // Else nothing raced.
      expect(overtaken).toBeGreaterThan(0);
    },
  );
});
