import { describe, expect, it } from 'vitest';
import { type ReceivedPaymentEvent, reportPaymentEvent } from '../../../lib/payments/report-payment-event.ts';
import { payment, refund, waitingCart } from '../../support/domain/payments.ts';
import { logged } from '../../support/logs/log-lines.ts';

describe('a rejected payment', () => {
  it.each([
    ['amountMismatch', 'AmountMismatches'],
    ['conflictingEvent', 'UnusablePayments'],
    ['futurePayment', 'UnusablePayments'],
    ['malformedEvent', 'UnusablePayments'],
    ['paymentOfAnotherCart', 'UnusablePayments'],
    ['tooManyPayments', 'UnusablePayments'],
    ['unknownCart', 'UnusablePayments'],
  ] as const)('is counted by its reason: %s as %s', async (reason, metric) => {
    const report = async () => reportPaymentEvent({ outcome: 'rejected', reason }, { isFirst: true });
    expect(await logged(report)).toMatchObject([{ [metric]: 1 }, { level: 'WARN', reason }]);
  });
});

describe('a payment that is recorded already', () => {
  const first = payment();
  const second = payment({ occurredAtMs: first.occurredAtMs + 1 });
  const paymentIds = [first.paymentId, second.paymentId];
  const twice = waitingCart({
    status: 'completed',
    paymentId: first.paymentId,
    payments: [first, second],
    refunds: [refund({ paymentId: first.paymentId, amount: 20 })],
  });

  /** The metrics and the payments of the log lines, after a delivery of a payment of the cart. */
  const reported = async (cart: typeof twice, received: ReceivedPaymentEvent) => {
    const lines = await logged(async () =>
      reportPaymentEvent({ outcome: 'alreadyRecorded', cart }, received),
    );
    const { duplicatePaymentId, excessPaymentId } = lines.at(-1)!;
    const metrics = ['DuplicatePayments', 'ExcessRefunds', 'CartsCompleted'].filter((name) =>
      lines.some((line) => name in line),
    );
    return { metrics, duplicatePaymentId, excessPaymentId };
  };

  it('is reported again by a redelivery: its excess refunds, or that it is a duplicate', async () => {
    const [one, two] = paymentIds;
    expect(await reported(twice, { isFirst: false, paymentId: one })).toStrictEqual({
      metrics: ['ExcessRefunds'],
      duplicatePaymentId: undefined,
      excessPaymentId: one,
    });
    expect(await reported(twice, { isFirst: false, paymentId: two })).toStrictEqual({
      metrics: ['DuplicatePayments'],
      duplicatePaymentId: two,
      excessPaymentId: undefined,
    });
  });

  it('is not reported again by a first delivery', async () => {
    for (const paymentId of paymentIds)
      expect(await reported(twice, { isFirst: true, paymentId })).toStrictEqual({
        metrics: [],
        duplicatePaymentId: undefined,
        excessPaymentId: undefined,
      });
  });

  it('is logged in test mode, and not counted, because no money has moved', async () => {
    const cart = { ...twice, mode: 'test' } as const;
    for (const paymentId of paymentIds)
      expect(await reported(cart, { isFirst: false, paymentId })).toMatchObject({ metrics: [] });
  });
});

it('a refund of exactly the whole payment is no excess', async () => {
  const paid = payment();
  const cart = waitingCart({
    status: 'completed',
    payments: [paid],
    refunds: [refund({ paymentId: paid.paymentId, amount: 19.99 })],
  });
  const report = async () =>
    reportPaymentEvent(
      { outcome: 'alreadyRecorded', cart, refundCount: 1 },
      { isFirst: true, paymentId: paid.paymentId },
    );
  expect(await logged(report)).toMatchObject([{ Refunds: 1 }, { outcome: 'alreadyRecorded' }]);
});
