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
  const cart = waitingCart();

  it('is waiting_payment until the last millisecond before the expiry', () => {
    const waiting = { status: 'waiting_payment', updatedAtMs: CREATED_AT_MS };
    expect(statusAt(cart, CREATED_AT_MS)).toStrictEqual(waiting);
    expect(statusAt(cart, EXPIRES_AT_MS - 1)).toStrictEqual(waiting);
  });

  it('is abandoned from the expiry on, since the moment of the expiry', () => {
    const abandoned = { status: 'abandoned', updatedAtMs: EXPIRES_AT_MS };
    expect(statusAt(cart, EXPIRES_AT_MS)).toStrictEqual(abandoned);
    expect(statusAt(cart, EXPIRES_AT_MS + 86_400_000)).toStrictEqual(abandoned);
  });

  it.each(['completed', 'payment_failed'] as const)('stays %s after the expiry', (status) => {
    const paid = { ...cart, status, updatedAtMs: CREATED_AT_MS + 5_000 };
    expect(statusAt(paid, EXPIRES_AT_MS)).toStrictEqual({ status, updatedAtMs: CREATED_AT_MS + 5_000 });
  });
});

describe('a payment that succeeds', () => {
  it('completes a waiting cart, which is then kept for good', () => {
    const cart = waitingCart();
    const paid = payment();
    const { deleteAtSeconds: _, ...kept } = cart;
    expect(applyPayment(cart, paid)).toStrictEqual({
      outcome: 'recorded',
      cart: {
        ...kept,
        status: 'completed',
        paymentId: paid.paymentId,
        updatedAtMs: paid.occurredAtMs,
        payments: [paid],
      },
      change: {
        from: 'waiting_payment',
        to: 'completed',
        occurredAt: new Date(paid.occurredAtMs).toISOString(),
      },
    });
  });

  it('completes a cart whose payment failed before, and takes its place', () => {
    const failed = failedAt(CREATED_AT_MS + 1_000);
    const paid = succeededAt(CREATED_AT_MS + 2_000);
    const applied = applyPayment(afterPayments(waitingCart(), failed), paid);
    expect(applied).toMatchObject({
      cart: { status: 'completed', paymentId: paid.paymentId, payments: [failed, paid] },
      change: { from: 'payment_failed', to: 'completed' },
    });
  });

  it('completes an abandoned cart and marks it late, from the very moment of the expiry', () => {
    expect(applyPayment(waitingCart(), succeededAt(EXPIRES_AT_MS))).toMatchObject({
      cart: { status: 'completed', latePayment: true },
      change: { from: 'abandoned', to: 'completed' },
    });
    expect(afterPayments(waitingCart(), succeededAt(EXPIRES_AT_MS - 1))).not.toHaveProperty('latePayment');
  });

  it('after the expiry is not late where a payment had failed in time, since such a cart is never abandoned', () => {
    const cart = afterPayments(
      waitingCart(),
      failedAt(EXPIRES_AT_MS - 1),
      succeededAt(EXPIRES_AT_MS + 1_000),
    );
    expect(cart.status).toBe('completed');
    expect(cart).not.toHaveProperty('latePayment');
  });

  it('links the payment that happened first, and keeps the other in the timeline', () => {
    const first = succeededAt(CREATED_AT_MS + 1_000);
    const second = succeededAt(CREATED_AT_MS + 2_000);
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      expect(afterPayments(waitingCart({ id: 'cart' }), ...order)).toMatchObject({
        paymentId: first.paymentId,
        updatedAtMs: first.occurredAtMs,
        payments: [first, second],
      });
    }
  });

  it('in the same millisecond as another is linked if its event has the lower id, whichever came first', () => {
    const a = payment({ eventId: 'a' });
    const b = payment({ eventId: 'b' });
    for (const order of [
      [a, b],
      [b, a],
    ]) {
      expect(afterPayments(waitingCart(), ...order)).toMatchObject({
        paymentId: a.paymentId,
        payments: [a, b],
      });
    }
  });

  it('before the cart was made, by a clock that is behind, leaves the cart updated when it was made', () => {
    expect(afterPayments(waitingCart(), succeededAt(CREATED_AT_MS - 5_000)).updatedAtMs).toBe(CREATED_AT_MS);
  });

  it.each([
    ['amount', { amount: 19.98 }],
    ['currency', { currency: 'USD' }],
  ])('with another %s does not complete the cart', (_, difference) => {
    expect(applyPayment(waitingCart(), payment(difference))).toStrictEqual({
      outcome: 'rejected',
      reason: 'amountMismatch',
    });
  });
});

describe('a payment that fails', () => {
  it('fails a waiting cart, whose time to be deleted stays', () => {
    const cart = waitingCart();
    const failed = payment({ result: 'failed', amount: 1 });
    expect(applyPayment(cart, failed)).toMatchObject({
      cart: {
        status: 'payment_failed',
        paymentId: failed.paymentId,
        deleteAtSeconds: cart.deleteAtSeconds,
      },
      change: { from: 'waiting_payment', to: 'payment_failed' },
    });
  });

  it('again links the last one, which is no change of status', () => {
    const last = failedAt(CREATED_AT_MS + 2_000);
    const applied = applyPayment(afterPayments(waitingCart(), failedAt(CREATED_AT_MS + 1_000)), last);
    expect(applied).toMatchObject({ cart: { paymentId: last.paymentId }, change: undefined });
  });

  it('after the expiry leaves the cart abandoned, and only joins the timeline', () => {
    const cart = waitingCart();
    const failed = failedAt(EXPIRES_AT_MS);
    expect(applyPayment(cart, failed)).toStrictEqual({
      outcome: 'recorded',
      cart: { ...cart, payments: [failed] },
      change: undefined,
    });
  });

  it('never changes a completed cart, whenever it happened', () => {
    const completed = afterPayments(waitingCart(), succeededAt(CREATED_AT_MS + 5_000));
    for (const occurredAtMs of [CREATED_AT_MS + 1_000, CREATED_AT_MS + 9_000, EXPIRES_AT_MS + 1]) {
      const applied = applyPayment(completed, failedAt(occurredAtMs));
      expect(applied).toMatchObject({
        cart: { status: 'completed', paymentId: completed.paymentId, updatedAtMs: completed.updatedAtMs },
        change: undefined,
      });
    }
  });
});

describe('an event', () => {
  it('that comes again changes nothing', () => {
    const paid = payment();
    const cart = afterPayments(waitingCart(), paid);
    expect(applyPayment(cart, { ...paid })).toStrictEqual({ outcome: 'duplicate', cart });
  });

  it.each([
    ['payment', { paymentId: 'another' }],
    ['result', { result: 'failed' as const }],
    ['amount', { amount: 5 }],
    ['currency', { currency: 'USD' }],
    ['time', { occurredAtMs: CREATED_AT_MS }],
  ])('that comes again with another %s is refused', (_, difference) => {
    const paid = payment();
    expect(applyPayment(afterPayments(waitingCart(), paid), { ...paid, ...difference })).toStrictEqual({
      outcome: 'rejected',
      reason: 'conflictingEvent',
    });
  });

  it('is refused where a cart has more than one buyer could make; a success finds room when failures do not', () => {
    const failures = Array.from({ length: PAYMENTS_MAX.failed }, (_, i) => failedAt(CREATED_AT_MS + i));
    const full = waitingCart({ status: 'payment_failed', payments: failures });
    const refused = { outcome: 'rejected', reason: 'tooManyPayments' };
    expect(applyPayment(full, failedAt(CREATED_AT_MS))).toStrictEqual(refused);
    expect(applyPayment(full, payment())).toMatchObject({
      outcome: 'recorded',
      cart: { status: 'completed' },
    });

    const successes = Array.from({ length: PAYMENTS_MAX.succeeded }, () => payment());
    expect(applyPayment(waitingCart({ payments: successes }), payment())).toStrictEqual(refused);
  });
});
