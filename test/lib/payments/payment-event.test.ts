import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { parsePaymentEvent } from '../../../lib/payments/payment-event.ts';
import { NOW_MS } from '../../support/clock.ts';
import { eventAbout } from '../../support/domain/payment-events.ts';

it.each([null, '', 'Ada paid', 'x'.repeat(65), 51, {}])(
  'a reason that is no code counts as absent, and costs no payment: %j',
  (failureReason) => {
    for (const type of ['payment.succeeded', 'payment.failed']) {
      const parsed = parsePaymentEvent(eventAbout(randomUUID(), { failureReason }, type), NOW_MS + 3_600_000);
      expect(parsed).toMatchObject({ ok: true });
      expect(parsed.event?.payment).not.toHaveProperty('failureReason');
    }
  },
);

it.each([
  ['0000-01-01T00:01:00+00:01', 'ok'],
  // These are in the years -1 and 10000 in UTC.
  ['0000-01-01T00:00:00+00:01', 'malformedEvent'],
  ['9999-12-31T23:59:59-00:01', 'malformedEvent'],
  ['9999-12-31T23:59:59Z', 'futurePayment'],
])('a time has a year of four digits in UTC: %s', (occurredAt, expected) => {
  for (const type of ['payment.succeeded', 'payment.refunded']) {
    const refund = type === 'payment.refunded' ? { refundId: 'refund-1' } : {};
    const parsed = parsePaymentEvent(eventAbout(randomUUID(), { occurredAt, ...refund }, type), NOW_MS);
    expect(parsed.ok ? 'ok' : parsed.reason).toBe(expected);
  }
});

it('the reason of a failure is kept, and ignored in a success', () => {
  const paymentOf = (type: string) => {
    const event = eventAbout(randomUUID(), { failureReason: 'card_declined' }, type);
    const parsed = parsePaymentEvent(event, NOW_MS + 3_600_000);
    return parsed.ok ? parsed.event.payment : undefined;
  };
  expect(paymentOf('payment.failed')).toMatchObject({ failureReason: 'card_declined' });
  expect(paymentOf('payment.succeeded')).toMatchObject({ result: 'succeeded' });
  expect(paymentOf('payment.succeeded')).not.toHaveProperty('failureReason');
});
