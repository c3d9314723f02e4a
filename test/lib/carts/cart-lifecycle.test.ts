import { describe, expect, it } from 'vitest';
import { applyPayment, PAYMENTS_MAX, statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, waitingCart } from '../../support/payments.ts';

/** The cart after payments that must all be recorded. */
const afterPayments = (cart: Cart, ...payments: readonly Payment[]): Cart =>
  payments.reduce((before, each) => {
    const applied = applyPayment(before, each);
    if (applied.outcome !== 'recorded') throw new Error(`The payment was ${applied.outcome}`);
    return applied.cart;
  }, cart);

const failedAt = (occurredAtMs: number): Payment => payment({ result: 'failed', occurredAtMs });
const succeededAt = (occurredAtMs: number): Payment => payment({ occurredAtMs });

describe("a cart's status", () => {
  it.each([
    [CREATED_AT_MS, 'waiting_payment', CREATED_AT_MS],
    [EXPIRES_AT_MS - 1, 'waiting_payment', CREATED_AT_MS],
    [EXPIRES_AT_MS, 'abandoned', EXPIRES_AT_MS],
    [EXPIRES_AT_MS + 86_400_000, 'abandoned', EXPIRES_AT_MS],
  ])(
    'without a payment is abandoned from the expiry on, since the expiry: at %i %s',
    (nowMs, status, sinceMs) => {
      expect(statusAt(waitingCart(), nowMs)).toStrictEqual({ status, updatedAtMs: sinceMs });
    },
  );

  it.each(['completed', 'payment_failed'] as const)('stays %s after the expiry', (status) => {
    const updated = { status, updatedAtMs: CREATED_AT_MS + 5_000 };
    expect(statusAt(waitingCart(updated), EXPIRES_AT_MS)).toStrictEqual(updated);
  });
});

describe('a payment that succeeds', () => {
  it('completes a waiting cart, which is never deleted then', () => {
    const cart = waitingCart();
    const paid = payment();
    const { deleteAtSeconds: _, ...kept } = cart;
    const { paymentId, occurredAtMs } = paid;
    expect(applyPayment(cart, paid)).toStrictEqual({
      outcome: 'recorded',
      cart: { ...kept, status: 'completed', paymentId, updatedAtMs: occurredAtMs, payments: [paid] },
      change: {
        from: 'waiting_payment',
        to: 'completed',
        occurredAt: new Date(occurredAtMs).toISOString(),
      },
    });
  });

  it('completes a cart after a failed payment, and replaces that as the linked payment', () => {
    const failed = failedAt(CREATED_AT_MS + 1_000);
    const paid = succeededAt(CREATED_AT_MS + 2_000);
    expect(applyPayment(afterPayments(waitingCart(), failed), paid)).toMatchObject({
      cart: { status: 'completed', paymentId: paid.paymentId, payments: [failed, paid] },
      change: { from: 'payment_failed', to: 'completed' },
    });
  });

  it('is late from the expiry on', () => {
    expect(applyPayment(waitingCart(), succeededAt(EXPIRES_AT_MS))).toMatchObject({
      cart: { status: 'completed', latePayment: true },
      change: { from: 'abandoned', to: 'completed' },
    });
    expect(afterPayments(waitingCart(), succeededAt(EXPIRES_AT_MS - 1))).not.toHaveProperty('latePayment');
  });

  it('is not late after a payment that failed in time, because that cart was never abandoned', () => {
    const payments = [failedAt(EXPIRES_AT_MS - 1), succeededAt(EXPIRES_AT_MS + 1_000)];
    const cart = afterPayments(waitingCart(), ...payments);
    expect(cart.status).toBe('completed');
    expect(cart).not.toHaveProperty('latePayment');
  });

  it.each([
    ['that happened first', succeededAt(CREATED_AT_MS + 1_000), succeededAt(CREATED_AT_MS + 2_000)],
    ['with the lower event id, at one time', payment({ eventId: 'a' }), payment({ eventId: 'b' })],
  ])('is linked if it is the one %s, in any order of arrival', (_, first, second) => {
    const expected = {
      paymentId: first.paymentId,
      updatedAtMs: first.occurredAtMs,
      payments: [first, second],
    };
    expect(afterPayments(waitingCart(), first, second)).toMatchObject(expected);
    expect(afterPayments(waitingCart(), second, first)).toMatchObject(expected);
  });

  it("never updates a cart to a time before its creation, although the sender's clock may be behind", () => {
    expect(afterPayments(waitingCart(), succeededAt(CREATED_AT_MS - 5_000)).updatedAtMs).toBe(CREATED_AT_MS);
  });

  it.each([{ amount: 19.98 }, { currency: 'USD' }])('is rejected with another price: %j', (difference) => {
    expect(applyPayment(waitingCart(), payment(difference))).toStrictEqual({
      outcome: 'rejected',
      reason: 'amountMismatch',
    });
  });
});

describe('a payment that fails', () => {
  it('changes a waiting cart to payment_failed, whatever its amount, and keeps the time of deletion', () => {
    const cart = waitingCart();
    const failed = payment({ result: 'failed', amount: 1 });
    const { deleteAtSeconds } = cart;
    expect(applyPayment(cart, failed)).toMatchObject({
      cart: { status: 'payment_failed', paymentId: failed.paymentId, deleteAtSeconds },
      change: { from: 'waiting_payment', to: 'payment_failed' },
    });
  });

  it('again becomes the linked payment, without a change of status', () => {
    const last = failedAt(CREATED_AT_MS + 2_000);
    const applied = applyPayment(afterPayments(waitingCart(), failedAt(CREATED_AT_MS + 1_000)), last);
    expect(applied).toMatchObject({ cart: { paymentId: last.paymentId }, change: undefined });
  });

  it('after the expiry is recorded, and the cart stays abandoned', () => {
    const cart = waitingCart();
    const failed = failedAt(EXPIRES_AT_MS);
    expect(applyPayment(cart, failed)).toStrictEqual({
      outcome: 'recorded',
      cart: { ...cart, payments: [failed] },
      change: undefined,
    });
  });

  it.each([CREATED_AT_MS + 1_000, CREATED_AT_MS + 9_000, EXPIRES_AT_MS + 1])(
    'never changes a completed cart, whenever it happened: %i',
    (occurredAtMs) => {
      const completed = afterPayments(waitingCart(), succeededAt(CREATED_AT_MS + 5_000));
      const { paymentId, updatedAtMs } = completed;
      expect(applyPayment(completed, failedAt(occurredAtMs))).toMatchObject({
        cart: { status: 'completed', paymentId, updatedAtMs },
        change: undefined,
      });
    },
  );
});

describe('a payment event', () => {
  const paid = payment();
  const cart = afterPayments(waitingCart(), paid);

  it('changes nothing when it is redelivered', () => {
    expect(applyPayment(cart, { ...paid })).toStrictEqual({ outcome: 'duplicate', cart });
  });

  it.each([
    { paymentId: 'another' },
    { result: 'failed' as const },
    { amount: 5 },
    { currency: 'USD' },
    { occurredAtMs: CREATED_AT_MS },
  ])('is rejected if an earlier one with its id differs: %j', (difference) => {
    const conflict = { outcome: 'rejected', reason: 'conflictingEvent' };
    expect(applyPayment(cart, { ...paid, ...difference })).toStrictEqual(conflict);
  });

  it('is rejected if the cart has too many payments, of which failures leave room for successes', () => {
    const failures = Array.from({ length: PAYMENTS_MAX.failed }, (_, i) => failedAt(CREATED_AT_MS + i));
    const full = waitingCart({ status: 'payment_failed', payments: failures });
    const rejected = { outcome: 'rejected', reason: 'tooManyPayments' };
    expect(applyPayment(full, failedAt(CREATED_AT_MS))).toStrictEqual(rejected);
    expect(applyPayment(full, payment())).toMatchObject({ outcome: 'recorded' });

    const successes = Array.from({ length: PAYMENTS_MAX.succeeded }, () => payment());
    expect(applyPayment(waitingCart({ payments: successes }), payment())).toStrictEqual(rejected);
  });
});
