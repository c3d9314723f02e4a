import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ACTIONS, type PaymentAction, paymentsOf } from '../../../functions/sandbox-checkout/actions.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, waitingCart } from '../../support/domain/payments.ts';

const NOW_MS = CREATED_AT_MS + 5_000;

const paymentsFor = (action: PaymentAction, cart = waitingCart()) =>
  paymentsOf(action, cart, NOW_MS, randomUUID);

const success = { result: 'succeeded', amount: 19.99, currency: 'EUR', occurredAtMs: NOW_MS };
const failure = { ...success, result: 'failed' };

describe('the payments of an action', () => {
  it.each([
    ['pay', [success]],
    ['decline', [{ ...failure, failureReason: 'card_declined' }]],
    ['leave', []],
    ['pay_late', [{ ...success, occurredAtMs: EXPIRES_AT_MS + 60_000 }]],
    ['pay_twice', [success, { ...success, occurredAtMs: NOW_MS + 1 }]],
    ['out_of_order', [success, { ...failure, occurredAtMs: NOW_MS - 1_000 }]],
    ['wrong_amount', [{ ...success, amount: 20 }]],
  ] as const)('are delivered in order: %s', (action, payments) => {
    const withoutIds = paymentsFor(action).map(({ eventId: _e, paymentId: _p, ...rest }) => rest);
    expect(withoutIds).toStrictEqual(payments);
  });

  it.each(ACTIONS.filter((action) => action !== 'expire' && action !== 'refund'))(
    'share no id: %s',
    (action) => {
      const ids = paymentsFor(action).flatMap(({ eventId, paymentId }) => [eventId, paymentId]);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it.each([
    [{ amount: 1_500, currency: 'JPY' }, 1_501],
    [{ amount: 0.001, currency: 'KWD' }, 0.002],
    [{ amount: 0.29, currency: 'EUR' }, 0.3],
    [{ amount: 9_999_999_999_999.99, currency: 'EUR' }, 10_000_000_000_000],
  ])('of a wrong amount are one minor unit too high: %j', (price, amount) => {
    expect(paymentsFor('wrong_amount', waitingCart({ price }))).toMatchObject([{ amount }]);
  });
});
