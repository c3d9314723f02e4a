import { describe, expect, it } from 'vitest';
import { applyPayment, duplicatePaymentIds, PAYMENTS_MAX } from '../../../lib/carts/cart-payments.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { byOccurrence, type Payment } from '../../../lib/carts/payment.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, waitingCart } from '../../support/domain/payments.ts';

/** The result of a payment that must be recorded. */
const record = (cart: Cart, paid: Payment) => {
  const applied = applyPayment(cart, paid);
  if (applied.outcome !== 'recorded') throw new Error(`The payment was ${applied.outcome}`);
  return applied;
};

/** The cart after payments that must all be recorded. */
const afterPayments = (cart: Cart, ...payments: readonly Payment[]): Cart =>
  payments.reduce((before, each) => record(before, each).cart, cart);

const failedAt = (occurredAtMs: number): Payment => payment({ result: 'failed', occurredAtMs });
const succeededAt = (occurredAtMs: number): Payment => payment({ occurredAtMs });

describe('a payment that succeeds', () => {
  it('completes a waiting cart, which is then kept for ever', () => {
    const cart = waitingCart();
    const paid = payment();
    const { deleteAtSeconds: _, ...kept } = cart;
    const { paymentId, occurredAtMs } = paid;
    expect(applyPayment(cart, paid)).toStrictEqual({
      outcome: 'recorded',
      cart: {
        ...kept,
        status: 'completed',
        paymentId,
        updatedAtMs: occurredAtMs,
        completedAtMs: occurredAtMs,
        payments: [paid],
      },
      event: { type: 'cart.completed', cause: paid.eventId },
    });
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

describe('a second payment that succeeds', () => {
  const completing = payment({ occurredAtMs: CREATED_AT_MS + 2_000 });
  const completed = afterPayments(waitingCart(), completing);

  it.each([
    ['earlier', -1_000],
    ['at the same time', 0],
    ['later', 1_000],
    ['after the expiry', 3_600_000],
  ])('is a duplicate payment, and the cart keeps the first one: %s', (_, differenceMs) => {
    const second = succeededAt(completing.occurredAtMs + differenceMs);
    const { cart, event } = record(completed, second);
    const { eventId: cause, paymentId: duplicatePaymentId } = second;
    expect(event).toStrictEqual({ type: 'cart.duplicate_payment', cause, duplicatePaymentId });
    const payments = [completing, second].toSorted(byOccurrence);
    expect(cart).toStrictEqual({ ...completed, payments });
    expect(duplicatePaymentIds(cart)).toStrictEqual([second.paymentId]);
  });

  it('is reported once, however many events report it', () => {
    const [first, again] = [payment(), payment()].map((each) => ({ ...each, paymentId: 'p2' }));
    const { cart, event } = record(completed, first as Payment);
    expect(event).toMatchObject({ duplicatePaymentId: 'p2' });
    expect(applyPayment(cart, { ...(first as Payment) })).toStrictEqual({ outcome: 'alreadyRecorded', cart });
    const twice = record(cart, again as Payment);
    expect(twice.event).toBeUndefined();
    expect(duplicatePaymentIds(twice.cart)).toStrictEqual(['p2']);
  });

  it('is not a duplicate if it is another event of the same payment, of which the earliest dates the cart', () => {
    const earlier = { ...payment(), paymentId: completing.paymentId, occurredAtMs: CREATED_AT_MS + 1_000 };
    const { cart, event } = record(completed, earlier);
    expect(event).toBeUndefined();
    expect(cart).toMatchObject({ paymentId: completing.paymentId, updatedAtMs: CREATED_AT_MS + 1_000 });
    expect(duplicatePaymentIds(cart)).toStrictEqual([]);
  });

  it('keeps `latePayment` of the first; a failure before the expiry removes it, even if it arrives last', () => {
    const late = afterPayments(waitingCart(), succeededAt(EXPIRES_AT_MS));
    expect(record(late, succeededAt(CREATED_AT_MS + 1_000)).cart.latePayment).toBe(true);
    const corrected = record(late, failedAt(CREATED_AT_MS + 1_000));
    expect(corrected.cart).not.toHaveProperty('latePayment');
    // Merchants would take an event for a second completion.
    expect(corrected.event).toBeUndefined();
  });
});

/** The stored cart after payments, the place of its linked payment among them, and the event of the last payment. */
const resultOf = (...payments: readonly Payment[]) => {
  const before = afterPayments(waitingCart(), ...payments.slice(0, -1));
  const { cart, event } = record(before, payments.at(-1) ?? payment());
  const linked = payments.findIndex(({ paymentId }) => paymentId === cart.paymentId);
  expect(cart.updatedAtMs).toBe(payments[linked]?.occurredAtMs ?? CREATED_AT_MS);
  expect(cart.deleteAtSeconds).toBe(cart.status === 'completed' ? undefined : before.deleteAtSeconds);
  return {
    linked,
    status: cart.status,
    late: 'latePayment' in cart,
    event: event?.type,
  };
};

describe('the last of several payments', () => {
  const [failed, succeeded] = [failedAt(CREATED_AT_MS + 5_000), succeededAt(CREATED_AT_MS + 5_000)];
  const failedAgain = { ...failed, eventId: 'another-event' };
  const completed = { status: 'completed', late: false };
  const failure = { status: 'payment_failed', late: false };

  it.each([
    ['succeeds just in time', [succeededAt(EXPIRES_AT_MS - 1)], completed, 0, 'cart.completed'],
    [
      'succeeds at the expiry',
      [succeededAt(EXPIRES_AT_MS)],
      { ...completed, late: true },
      0,
      'cart.completed',
    ],
    ['succeeds after a failure', [failed, succeededAt(EXPIRES_AT_MS - 1)], completed, 1, 'cart.completed'],
    // Such a cart was never abandoned.
    ['succeeds late after a failure', [failed, succeededAt(EXPIRES_AT_MS)], completed, 1, 'cart.completed'],
    ['fails', [failed], failure, 0, 'cart.payment_failed'],
    ['fails with another amount', [{ ...failed, amount: 1 }], failure, 0, 'cart.payment_failed'],
    ['fails again', [failed, failedAt(CREATED_AT_MS + 6_000)], failure, 1, 'cart.payment_failed'],
    ['fails before the last failure', [failed, failedAt(CREATED_AT_MS + 4_000)], failure, 0],
    ['fails again, in another event', [failed, failedAgain], failure, 0],
    ['fails at the expiry', [failedAt(EXPIRES_AT_MS)], { status: 'waiting_payment', late: false }, -1],
    ['fails before a success', [succeeded, failedAt(CREATED_AT_MS + 1_000)], completed, 0],
    ['fails after a success', [succeeded, failedAt(CREATED_AT_MS + 6_000)], completed, 0],
    ['fails late after a success', [succeeded, failedAt(EXPIRES_AT_MS + 1)], completed, 0],
  ] as const)('%s', (_, payments, expected, linked, event?: string) => {
    expect(resultOf(...payments)).toStrictEqual({ ...expected, linked, event });
  });
});

it('a cart has the reason of its last failure, until a payment succeeds', () => {
  const failing = (seconds: number, failureReason?: string): Payment => ({
    ...failedAt(CREATED_AT_MS + seconds * 1_000),
    ...(failureReason !== undefined && { failureReason }),
  });
  const reasonAfter = (...payments: readonly Payment[]) =>
    afterPayments(waitingCart(), ...payments).failureReason;
  expect(reasonAfter(failing(1, 'card_declined'))).toBe('card_declined');
  expect(reasonAfter(failing(2, 'card_declined'), failing(1, 'expired_card'))).toBe('card_declined');
  expect(reasonAfter(failing(1, 'card_declined'), failing(2))).toBeUndefined();
  expect(reasonAfter(failing(1, 'card_declined'), succeededAt(CREATED_AT_MS + 2_000))).toBeUndefined();
});

describe('a payment event', () => {
  const paid = payment();
  const cart = afterPayments(waitingCart(), paid);

  it('changes nothing when it is redelivered', () => {
    expect(applyPayment(cart, { ...paid })).toStrictEqual({ outcome: 'alreadyRecorded', cart });
    const withReason = { ...paid, failureReason: 'card_declined' };
    expect(applyPayment(cart, withReason)).toStrictEqual({ outcome: 'alreadyRecorded', cart });
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

  it('is rejected if the cart has too many payments, and failures leave room for successes', () => {
    const failures = Array.from({ length: PAYMENTS_MAX.failed }, (_, i) => failedAt(CREATED_AT_MS + i));
    const full = waitingCart({ status: 'payment_failed', payments: failures });
    const rejected = { outcome: 'rejected', reason: 'tooManyPayments' };
    expect(applyPayment(full, failedAt(CREATED_AT_MS))).toStrictEqual(rejected);
    expect(applyPayment(full, payment())).toMatchObject({ outcome: 'recorded' });

    const successes = Array.from({ length: PAYMENTS_MAX.succeeded }, () => payment());
    expect(applyPayment(waitingCart({ payments: successes }), payment())).toStrictEqual(rejected);
  });
});
