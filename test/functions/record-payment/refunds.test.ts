import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordPaymentMessages } from '../../../functions/record-payment/handler.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import type { ReturnedMessage } from '../../../lib/queues/returned-messages.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { paymentBatchOf, countedIn, eventAbout, NO_RETURNS } from '../../support/domain/payment-events.ts';
import { paymentTablesOf } from '../../support/domain/payment-tables.ts';
import { CREATED_AT_MS, waitingCart } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';

const now = () => CREATED_AT_MS + 3_600_000;

let repositories: ReturnType<typeof createPaymentRepositories>;
beforeAll(async () => {
  const { documents, tableNames } = await givenDatabase();
  repositories = createPaymentRepositories(documents, paymentTablesOf(tableNames), { now });
});

const givenCart = async (mode: Mode = 'live'): Promise<Cart> =>
  (await repositories[mode].carts.create(waitingCart({ mode }))).cart;

const find = (cartId: string, mode: Mode = 'live') => repositories[mode].carts.find(cartId);

const deliver = (bodies: readonly string[], receiveCount = 1) =>
  recordPaymentMessages({ repositories, now, returnMessages: NO_RETURNS })(
    paymentBatchOf(bodies, receiveCount),
  );

const DONE = { batchItemFailures: [] };
const RETRY = { batchItemFailures: [{ itemIdentifier: 'message-0' }] };

/** Delivers one message that must be retried. Returns the log lines. */
const retried = (body: string): Promise<Record<string, unknown>[]> =>
  logged(async () => expect(await deliver([body])).toStrictEqual(RETRY));

describe('a refund event', () => {
  const refundOf = (cartId: string, detail: object) =>
    eventAbout(
      cartId,
      { eventId: undefined, refundId: randomUUID(), amount: 5, ...detail },
      'payment.refunded',
    );

  it.each([
    ['live', ['Refunds', 'Refunds', 'ExcessRefunds', 'ExcessRefunds']],
    // In test mode, no money has moved.
    ['test', ['Refunds', 'Refunds']],
  ] as const)(
    'is counted, and an excess in live mode, again only if it is redelivered: %s',
    async (mode, metrics) => {
      const { id } = await givenCart(mode);
      const paymentId = randomUUID();
      await deliver([eventAbout(id, { mode, paymentId })]);
      const within = refundOf(id, { mode, paymentId, amount: 19.99 });
      const excess = refundOf(id, { mode, paymentId, amount: 0.01 });
      const lines = await logged(async () => {
        expect(await deliver([within])).toStrictEqual(DONE);
        // A redelivery of a refund that took nothing too much reports nothing.
        expect(await deliver([within], 2)).toStrictEqual(DONE);
        expect(await deliver([excess])).toStrictEqual(DONE);
        expect(await deliver([excess])).toStrictEqual(DONE);
        expect(await deliver([excess], 2)).toStrictEqual(DONE);
      });
      expect(countedIn(lines)).toStrictEqual(metrics);
      const reports = lines.filter(({ message }) => message === 'payment');
      expect(reports.map(({ excessPaymentId }) => excessPaymentId)).toStrictEqual([
        undefined,
        undefined,
        paymentId,
        undefined,
        paymentId,
      ]);
      expect(await find(id, mode)).toMatchObject({ status: 'completed', refunds: [{}, {}] });
    },
  );

  it('before its payment is stored without a count, and is counted with its payment', async () => {
    const { id } = await givenCart();
    const paymentId = randomUUID();
    const early = [refundOf(id, { paymentId, amount: 15 }), refundOf(id, { paymentId, amount: 15 })];
    const before = await logged(() => deliver(early));
    expect(countedIn(before)).toStrictEqual([]);
    const lines = await logged(() => deliver([eventAbout(id, { paymentId })]));
    expect(countedIn(lines)).toStrictEqual(['Refunds', 'CartsCompleted', 'ExcessRefunds']);
    expect(lines).toContainEqual(expect.objectContaining({ Refunds: 2, mode: 'live' }));
  });

  it.each([
    ['in another currency', { currency: 'USD' }, 'AmountMismatches', 'amountMismatch'],
    ['of nothing', { amount: 0 }, 'UnusablePayments', 'malformedEvent'],
    ['of less than a minor unit', { amount: 0.001 }, 'UnusablePayments', 'malformedEvent'],
    ['of half a minor unit more', { amount: 1.005 }, 'UnusablePayments', 'malformedEvent'],
    ['without an id', { refundId: undefined }, 'UnusablePayments', 'malformedEvent'],
    ['with an empty id', { refundId: '' }, 'UnusablePayments', 'malformedEvent'],
    ['with an id of 129 characters', { refundId: 'r'.repeat(129) }, 'UnusablePayments', 'malformedEvent'],
    ['without a payment', { paymentId: undefined }, 'UnusablePayments', 'malformedEvent'],
    ['of the other mode', { mode: 'test' }, 'UnusablePayments', 'unknownCart'],
    ['in the future', { occurredAt: '2027-01-15T12:30:00Z' }, 'UnusablePayments', 'futurePayment'],
  ])('%s becomes a dead letter', async (_, detail, metric, reason) => {
    const { id } = await givenCart();
    await deliver([eventAbout(id)]);
    const before = await find(id);
    const lines = await retried(refundOf(id, { paymentId: before?.paymentId, ...detail }));
    expect(countedIn(lines)).toStrictEqual([metric]);
    expect(lines).toContainEqual(expect.objectContaining({ outcome: 'rejected', reason }));
    expect(await find(id)).toStrictEqual(before);
  });

  it('after twenty of unknown payments is recorded, and another one of an unknown payment becomes a dead letter', async () => {
    const { id } = await givenCart();
    const paymentId = randomUUID();
    await deliver([eventAbout(id, { paymentId })]);
    const wrong = Array.from({ length: 20 }, () => refundOf(id, { paymentId: randomUUID() }));
    for (const each of wrong) await deliver([each]);
    const lines = await retried(refundOf(id, {}));
    expect(lines).toContainEqual(expect.objectContaining({ reason: 'tooManyRefunds' }));
    expect(countedIn(lines)).toStrictEqual(['UnusablePayments']);
    expect(await deliver([refundOf(id, { paymentId })])).toStrictEqual(DONE);
    expect(await find(id)).toMatchObject({ refunds: [{ paymentId }] });
  });

  /** Receives an early refund, each time when it returns. Returns its delays and its log lines. */
  const received = async (mode: Mode) => {
    const { id } = await givenCart(mode);
    const body = refundOf(id, { mode, paymentId: randomUUID() });
    const sentAtMs = now();
    const delays: number[] = [];
    let waitedMs = 0;
    const lines = await logged(async () => {
      for (let receive = 1; delays.length === receive - 1; receive += 1) {
        const returnMessages = async ([message]: readonly ReturnedMessage[]): Promise<void> => {
          delays.push(message!.delaySeconds);
          waitedMs += 1_000 * message!.delaySeconds;
        };
        const later = () => sentAtMs + waitedMs;
        await recordPaymentMessages({ repositories, now: later, returnMessages })(
          paymentBatchOf([body], receive, sentAtMs),
        );
      }
    });
    return { delays, lines };
  };

  it('whose payment is missing stays in the queue for a day, hidden from the age of waiting payments, and is then reported', async () => {
    const { delays, lines } = await received('live');
    expect(delays).toStrictEqual([5, 5, 39_600, 39_600, 7_190]);
    expect(countedIn(lines)).toContain('EarlyRefunds');
    expect(lines.filter(({ outcome }) => outcome === 'early')).toHaveLength(1);
  });

  it('of test mode whose payment is missing is done: no money has moved', async () => {
    expect((await received('test')).delays).toStrictEqual([]);
  });
});
