import { randomUUID } from 'node:crypto';
import type { SQSBatchResponse } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordPaymentMessages } from '../../../functions/record-payment/handler.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import type { RecordDependencies } from '../../../lib/payments/record-payment-event.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { paymentBatchOf, countedIn, eventAbout, NO_RETURNS } from '../../support/domain/payment-events.ts';
import { paymentTablesOf } from '../../support/domain/payment-tables.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, waitingCart } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';

type Stores = ReturnType<typeof createPaymentRepositories>;

let repositories: Stores;
beforeAll(async () => {
  const { documents, tableNames } = await givenDatabase();
  repositories = createPaymentRepositories(documents, paymentTablesOf(tableNames), { now: () => NOW_MS });
});

/** Stores a waiting cart in the table of a mode. */
const givenCart = async (changes: Partial<Cart> = {}, table: Mode = 'live'): Promise<Cart> =>
  (await repositories[table].carts.create(waitingCart(changes))).cart;

const find = (cartId: string, table: Mode = 'live'): Promise<Cart | undefined> =>
  repositories[table].carts.find(cartId);

/** An hour after the creation of the carts. */
const NOW_MS = CREATED_AT_MS + 3_600_000;

/** Delivers messages in one batch; the receive count is 1 for a first delivery. */
const deliver = (
  bodies: readonly string[],
  to: RecordDependencies = repositories.live,
  receiveCount = 1,
): Promise<SQSBatchResponse> => {
  const dependencies = {
    repositories: { ...repositories, live: to },
    now: () => NOW_MS,
    returnMessages: NO_RETURNS,
  };
  return recordPaymentMessages(dependencies)(paymentBatchOf(bodies, receiveCount));
};

const DONE: SQSBatchResponse = { batchItemFailures: [] };
const RETRY: SQSBatchResponse = { batchItemFailures: [{ itemIdentifier: 'message-0' }] };

/** Delivers one message that must be retried; returns the log lines. */
const retried = (
  body: string,
  to: RecordDependencies = repositories.live,
  receiveCount = 1,
): Promise<Record<string, unknown>[]> =>
  logged(async () => expect(await deliver([body], to, receiveCount)).toStrictEqual(RETRY));

describe('a payment event', () => {
  it('completes its cart, and is logged', async () => {
    const { id } = await givenCart();
    const paymentId = randomUUID();
    const lines = await logged(async () => {
      expect(await deliver([eventAbout(id, { paymentId })])).toStrictEqual(DONE);
    });
    expect(await find(id)).toMatchObject({ status: 'completed', paymentId });
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
    expect(await find(id)).toMatchObject(cart);
  });

  it('completes a test cart', async () => {
    const { id } = await givenCart({ mode: 'test' }, 'test');
    expect(await deliver([eventAbout(id, { mode: 'test' })])).toStrictEqual(DONE);
    expect(await find(id, 'test')).toMatchObject({ mode: 'test', status: 'completed' });
  });

  it('may be dated up to five minutes from now, because the clock of the sender may be ahead', async () => {
    const { id } = await givenCart();
    const aheadMs = (ms: number) =>
      eventAbout(id, { occurredAt: new Date(NOW_MS + 5 * 60_000 + ms).toISOString() });
    const lines = await retried(aheadMs(1));
    expect(lines).toContainEqual(expect.objectContaining({ cartId: id, reason: 'futurePayment' }));
    expect(await find(id)).toMatchObject({ status: 'waiting_payment' });
    expect(await deliver([aheadMs(0)])).toStrictEqual(DONE);
  });

  it.each([
    ['live', ['DuplicatePayments']],
    // No money to give back.
    ['test', []],
  ] as const)(
    'of a second payment is counted in live mode, and again only if it is redelivered: %s',
    async (mode, metrics) => {
      const { id } = await givenCart({ mode }, mode);
      const [first, second] = [randomUUID(), randomUUID()];
      await deliver([eventAbout(id, { mode, paymentId: first })]);
      const body = eventAbout(id, { mode, paymentId: second });
      const events = [body, body, eventAbout(id, { mode, paymentId: second })];
      // The payment, its copy, another event about it, and a redelivery: the first delivery may have failed after its write.
      const lines = await logged(async () => {
        for (const each of events) expect(await deliver([each])).toStrictEqual(DONE);
        expect(await deliver([body], repositories.live, 2)).toStrictEqual(DONE);
      });
      expect(countedIn(lines)).toStrictEqual([...metrics, ...metrics]);
      const reports = lines.filter(({ message }) => message === 'payment');
      const reported = reports.map(({ duplicatePaymentId }) => duplicatePaymentId);
      expect(reported).toStrictEqual([second, undefined, undefined, second]);
      expect(await find(id, mode)).toMatchObject({ status: 'completed', paymentId: first });
    },
  );

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
    expect(await find(id)).toMatchObject({ updatedAtMs: Date.UTC(2026, 0, 15, 12, 30) + 250 });
  });
});

describe('an event that cannot be recorded is retried, becomes a dead letter, and is counted', () => {
  it.each([
    ['another amount', { amount: 20 }],
    ['another currency', { currency: 'USD' }],
  ])('with %s', async (_, detail) => {
    const cart = await givenCart();
    const lines = await retried(eventAbout(cart.id, detail));
    expect(await find(cart.id)).toStrictEqual(cart);
    expect(lines).toContainEqual(expect.objectContaining({ AmountMismatches: 1 }));
  });

  it('at its first delivery only', async () => {
    const { id } = await givenCart();
    const body = eventAbout(id, { amount: 20 });
    const deliveries = [];
    for (const receiveCount of [1, 2, 5])
      deliveries.push(await retried(body, repositories.live, receiveCount));
    expect(deliveries.map(countedIn)).toStrictEqual([['AmountMismatches'], [], []]);
    for (const lines of deliveries)
      expect(lines).toContainEqual(expect.objectContaining({ reason: 'amountMismatch' }));
  });

  it.each([
    ['an unknown cart', 'unknownCart', eventAbout(randomUUID())],
    ...[
      ['a text that is not JSON', 'payment'],
      ['JSON that is not an object', '"payment"'],
      ['another type', eventAbout(randomUUID(), {}, 'payment.created')],
      ['no detail', JSON.stringify({ 'detail-type': 'payment.succeeded' })],
      ['an amount above the maximum', eventAbout(randomUUID(), { amount: 1e16 }, 'payment.failed')],
      ['an amount below a minor unit', eventAbout(randomUUID(), { amount: 5e-324 }, 'payment.failed')],
      ['a negative amount', eventAbout(randomUUID(), { amount: -1 }, 'payment.failed')],
      ['a letter after the currency', eventAbout(randomUUID(), { currency: 'EURO' })],
      ['a letter before the currency', eventAbout(randomUUID(), { currency: 'eEUR' })],
      ...Object.entries({
        eventId: '',
        cartId: 'cart-1',
        mode: 'production',
        paymentId: 'payment-1',
        amount: '19.99',
        currency: 'euro',
        occurredAt: '2026-01-15T12:30Z',
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

  it.each([
    ['live', 'test'],
    ['test', 'live'],
  ] as const)('of %s mode about a cart of %s mode', async (mode, ofCart) => {
    const cart = await givenCart({ mode: ofCart }, ofCart);
    const lines = await retried(eventAbout(cart.id, { mode }));
    expect(lines).toContainEqual(expect.objectContaining({ cartId: cart.id, reason: 'unknownCart' }));
    expect(lines).toContainEqual(expect.objectContaining({ UnusablePayments: 1 }));
    expect(await find(cart.id, ofCart)).toStrictEqual(cart);
  });

  it('with the payment of another cart', async () => {
    const [first, second] = [await givenCart(), await givenCart()];
    const paymentId = randomUUID();
    expect(await deliver([eventAbout(first.id, { paymentId })])).toStrictEqual(DONE);
    const lines = await retried(eventAbout(second.id, { paymentId }));
    expect(lines).toContainEqual(expect.objectContaining({ reason: 'paymentOfAnotherCart' }));
    expect(await find(second.id)).toStrictEqual(second);
  });

  it('while a call fails, and the log repeats no error message', async () => {
    const { id } = await givenCart();
    const carts = { find: () => Promise.reject(new Error('the item was {secret}')) };
    const lines = await retried(eventAbout(id), { ...repositories.live, carts });
    expect(lines).toMatchObject([{ level: 'ERROR', message: 'payment', cartId: id, outcome: 'failed' }]);
    expect(JSON.stringify(lines)).not.toContain('{secret}');
  });

  it('and the other events of its batch are recorded', async () => {
    const { id } = await givenCart();
    expect(await deliver(['nonsense', eventAbout(id)])).toStrictEqual(RETRY);
    expect(await find(id)).toMatchObject({ status: 'completed' });
  });
});

describe('two payments of one cart at the same time', () => {
  /** Stores whose first two reads both return before either payment is written, the count of lost races, and the winner. */
  const givenRace = () => {
    const bothRead = Promise.withResolvers<void>();
    let reads = 0;
    let lost = 0;
    let completedBy: string | undefined;
    const racing: RecordDependencies = {
      carts: {
        find: async (...args) => {
          const cart = await repositories.live.carts.find(...args);
          reads += 1;
          if (reads === 2) bothRead.resolve();
          await bothRead.promise;
          return cart;
        },
      },
      paymentRecords: {
        save: async (...args) => {
          const saved = await repositories.live.paymentRecords.save(...args);
          if (saved === 'conflict') lost += 1;
          const [, { event, claim }] = args;
          if (saved === 'saved' && event?.type === 'cart.completed') completedBy = claim?.paymentId;
          return saved;
        },
      },
    };
    return { racing, lost: () => lost, completedBy: () => completedBy };
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
      const { racing, lost, completedBy } = givenRace();
      const responses = await Promise.all(order.map((body) => deliver([body], racing)));
      expect(responses).toStrictEqual([DONE, DONE]);
      expect(lost()).toBe(1);
      const cart = await find(id);
      expect(cart?.payments?.map(({ result }) => result)).toStrictEqual(results);
      const isPaid = results.includes('succeeded');
      expect(cart).toMatchObject({
        status: isPaid ? 'completed' : 'payment_failed',
        paymentId: isPaid ? completedBy() : cart?.payments?.at(-1)?.paymentId,
      });
    }
  });
});
