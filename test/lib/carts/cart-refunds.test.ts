import { describe, expect, it } from 'vitest';
import { applyPayment } from '../../../lib/carts/cart-payments.ts';
import {
  applyRefund,
  refundedAmount,
  REFUNDS_MAX,
  releaseRefund,
  unitsLeft,
} from '../../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import type { Refund } from '../../../lib/carts/refund.ts';
import { CREATED_AT_MS, payment, refund, waitingCart } from '../../support/domain/payments.ts';

const [FIRST, SECOND] = [payment({ paymentId: 'first' }), payment({ paymentId: 'second' })];

/** The cart after payments and refunds that must all be recorded. */
const after = (cart: Cart, ...changes: readonly (Payment | Refund)[]): Cart =>
  changes.reduce((before, change) => {
    const applied = 'refundId' in change ? applyRefund(before, change) : applyPayment(before, change);
    if (applied.outcome !== 'recorded') throw new Error(`It was ${applied.outcome}`);
    return applied.cart;
  }, cart);

const COMPLETED = after(waitingCart(), FIRST, SECOND);

const ofFirst = (changes: Partial<Refund> = {}): Refund => refund({ paymentId: FIRST.paymentId, ...changes });

describe('a refund of a successful payment', () => {
  it('changes nothing of the cart but its refunds, and causes an event', () => {
    const given = ofFirst();
    expect(applyRefund(COMPLETED, given)).toStrictEqual({
      outcome: 'recorded',
      cart: { ...COMPLETED, refunds: [given] },
      event: { type: 'cart.refunded', cause: given.refundId, refund: given },
    });
  });

  it.each([
    ['by time', [2, 'a'], [1, 'b']],
    ['by id at the same time', [1, 'b'], [1, 'a']],
  ] as const)(
    'has its place among the others %s, whichever comes first',
    (_, [lateMs, late], [earlyMs, early]) => {
      const [one, two] = [
        ofFirst({ refundId: early, occurredAtMs: CREATED_AT_MS + earlyMs }),
        ofFirst({ refundId: late, occurredAtMs: CREATED_AT_MS + lateMs }),
      ];
      for (const cart of [after(COMPLETED, one, two), after(COMPLETED, two, one)])
        expect(cart.refunds).toStrictEqual([one, two]);
    },
  );

  it('is recorded once, however often it is reported', () => {
    const given = ofFirst();
    const cart = after(COMPLETED, given);
    expect(applyRefund(cart, { ...given })).toStrictEqual({ outcome: 'alreadyRecorded', cart });
  });

  it.each([
    { paymentId: SECOND.paymentId },
    { amount: 6 },
    { currency: 'USD' },
    { occurredAtMs: CREATED_AT_MS },
  ])('is rejected with the id of another refund: %j', (difference) => {
    const given = ofFirst();
    expect(applyRefund(after(COMPLETED, given), { ...given, ...difference })).toStrictEqual({
      outcome: 'rejected',
      reason: 'conflictingEvent',
    });
  });

  it('is rejected in another currency', () => {
    const rejected = { outcome: 'rejected', reason: 'amountMismatch' };
    expect(applyRefund(COMPLETED, ofFirst({ currency: 'USD' }))).toStrictEqual(rejected);
  });

  it('is rejected after the twentieth, and not because of those that wait for their payment', () => {
    const times = (count: number, paymentId: string): Refund[] =>
      Array.from({ length: count }, () => refund({ paymentId, amount: 0.01 }));
    const rejected = { outcome: 'rejected', reason: 'tooManyRefunds' };
    expect(REFUNDS_MAX).toBe(20);
    const early = after(COMPLETED, ...times(20, 'unknown'));
    expect(applyRefund(early, refund({ paymentId: 'other' }))).toStrictEqual(rejected);
    expect(applyRefund(early, ofFirst())).toMatchObject({ outcome: 'recorded' });
    const full = after(COMPLETED, ...times(20, FIRST.paymentId));
    expect(applyRefund(full, ofFirst())).toStrictEqual(rejected);
    const waiting = applyRefund(full, refund({ paymentId: 'unknown' }));
    expect(waiting).toMatchObject({ outcome: 'recorded', cart: { earlyRefunds: [{}] } });
    // Its payment comes, but there is no place for it.
    const paid = after((waiting as { cart: Cart }).cart, payment({ paymentId: 'unknown' }));
    expect(releaseRefund(paid)).toBeUndefined();
  });
});

describe('a refund that comes before its payment', () => {
  it.each([
    ['no payment came', []],
    ['its payment failed', [payment({ paymentId: FIRST.paymentId, result: 'failed' })]],
    ['another payment succeeded', [SECOND]],
  ])('has neither an effect nor an event: %s', (_, payments) => {
    const cart = after(waitingCart(), ...payments);
    const early = ofFirst();
    const applied = { outcome: 'recorded', cart: { ...cart, earlyRefunds: [early] } };
    expect(applyRefund(cart, early)).toStrictEqual(applied);
    expect(releaseRefund(applied.cart)).toBeUndefined();
    expect(applyRefund(applied.cart, early)).toStrictEqual({ ...applied, outcome: 'alreadyRecorded' });
  });

  it('takes effect after its payment, one after the other, each with its event', () => {
    const [one, two] = [ofFirst(), ofFirst({ occurredAtMs: CREATED_AT_MS + 180_000 })];
    const other = refund({ paymentId: SECOND.paymentId });
    const cart = after(waitingCart(), two, other, one, FIRST);
    const first = releaseRefund(cart);
    expect(first?.event).toStrictEqual({ type: 'cart.refunded', cause: one.refundId, refund: one });
    const second = releaseRefund(first!.cart);
    expect(second?.event?.refund).toStrictEqual(two);
    expect(second?.cart).toMatchObject({ refunds: [one, two], earlyRefunds: [other] });
    expect(releaseRefund(second!.cart)).toBeUndefined();
    const last = releaseRefund(after(second!.cart, SECOND));
    expect(last?.cart).not.toHaveProperty('earlyRefunds');
  });
});

describe('the amounts', () => {
  const price = { amount: 0.3, currency: 'EUR' };
  const paid = after(waitingCart({ price }), { ...FIRST, ...price }, { ...SECOND, ...price });

  it('are exact sums, for each payment', () => {
    const cart = after(paid, ofFirst({ amount: 0.1 }), ofFirst({ amount: 0.2 }));
    expect(refundedAmount(cart)).toBe(0.3);
    expect(unitsLeft(cart, FIRST.paymentId)).toBe(0n);
    expect(unitsLeft(cart, SECOND.paymentId)).toBe(30n);
  });

  it('of a duplicate payment do not count for the payment that completed the cart', () => {
    const cart = after(paid, refund({ paymentId: SECOND.paymentId, amount: 0.3 }));
    expect(refundedAmount(cart)).toBeUndefined();
    expect(unitsLeft(cart, SECOND.paymentId)).toBe(0n);
  });

  it('of an excess are those that were reported', () => {
    const cart = after(paid, ofFirst({ amount: 0.2 }), ofFirst({ amount: 0.2 }));
    expect(refundedAmount(cart)).toBe(0.4);
    expect(unitsLeft(cart, FIRST.paymentId)).toBe(-10n);
  });

  it.each([
    ['JPY', 1_500, 500],
    ['KWD', 1.005, 0.001],
  ])('have the decimals of the currency: %s', (currency, amount, given) => {
    const priced = after(waitingCart({ price: { amount, currency } }), { ...FIRST, amount, currency });
    expect(refundedAmount(after(priced, ofFirst({ amount: given, currency })))).toBe(given);
  });
});
