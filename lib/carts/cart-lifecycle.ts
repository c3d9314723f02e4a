import type { Cart, CartStatus } from './cart.ts';
import { byOccurrence, isSamePayment, type Payment, type PaymentResult } from './payment.ts';

/**
 * The next status of a cart, by its status and a payment's result. `completed` is final. Only time makes a cart
 * `abandoned`: see {@link statusAt}.
 */
const TRANSITIONS: Readonly<
  Record<Exclude<CartStatus, 'completed'>, Readonly<Record<PaymentResult, CartStatus>>>
> = {
  waiting_payment: { succeeded: 'completed', failed: 'payment_failed' },
  // The buyer may try again.
  payment_failed: { succeeded: 'completed', failed: 'payment_failed' },
  // A late success still completes the cart, because the buyer has paid.
  abandoned: { succeeded: 'completed', failed: 'abandoned' },
};

/** A cart's status at a time, and when it got that status. A cart without a payment is abandoned once it expires. */
export const statusAt = (cart: Cart, nowMs: number): { status: CartStatus; updatedAtMs: number } =>
  cart.status === 'waiting_payment' && cart.expiresAtMs <= nowMs
    ? { status: 'abandoned', updatedAtMs: cart.expiresAtMs }
    : { status: cart.status, updatedAtMs: cart.updatedAtMs };

/** The cart after a payment that happened last. */
const afterPayment = (cart: Cart, { result, paymentId, occurredAtMs }: Payment): Cart => {
  const { status: from } = statusAt(cart, occurredAtMs);
  if (from === 'completed') return cart;
  const to = TRANSITIONS[from][result];
  if (to === 'abandoned') return cart;
  // The sender's clock may be behind ours.
  const changed = { ...cart, paymentId, updatedAtMs: Math.max(cart.createdAtMs, occurredAtMs) };
  if (to !== 'completed') return { ...changed, status: to };
  // A completed cart is never deleted.
  const { deleteAtSeconds: _, ...kept } = changed;
  return { ...kept, status: 'completed', ...(from === 'abandoned' && { latePayment: true as const }) };
};

/** The cart after all its payments, in the order in which they happened. */
const afterPayments = (cart: Cart, payments: readonly Payment[]): Cart => {
  const { paymentId: _payment, latePayment: _late, ...rest } = cart;
  const unpaid: Cart = { ...rest, status: 'waiting_payment', updatedAtMs: cart.createdAtMs, payments };
  return payments.reduce(afterPayment, unpaid);
};

/**
 * A cart with this many payments rejects a further one with this result. Failures can use only half, so they never cause
 * the rejection of a success. 200 payments stay far below DynamoDB's 400 KB per item.
 */
export const PAYMENTS_MAX: Readonly<Record<PaymentResult, number>> = { failed: 100, succeeded: 200 };

/** A change of a cart's status. `occurredAt` is in ISO 8601. */
export interface StatusChange {
  readonly from: CartStatus;
  readonly to: CartStatus;
  readonly occurredAt: string;
}

export type PaymentOutcome =
  | { readonly outcome: 'recorded'; readonly cart: Cart; readonly change: StatusChange | undefined }
  | { readonly outcome: 'duplicate'; readonly cart: Cart; readonly change?: undefined }
  | {
      readonly outcome: 'rejected';
      readonly reason: 'amountMismatch' | 'conflictingEvent' | 'tooManyPayments';
    };

/** The outcome of a duplicate or rejected payment. `undefined` for any other. */
const unrecordedOutcome = (
  payment: Payment,
  cart: Cart,
  earlier: Payment | undefined,
): PaymentOutcome | undefined => {
  if (earlier) {
    return isSamePayment(earlier, payment)
      ? { outcome: 'duplicate', cart }
      : { outcome: 'rejected', reason: 'conflictingEvent' };
  }
  const { amount, currency } = cart.price;
  if (payment.result === 'succeeded' && (payment.amount !== amount || payment.currency !== currency)) {
    return { outcome: 'rejected', reason: 'amountMismatch' };
  }
  return (cart.payments?.length ?? 0) < PAYMENTS_MAX[payment.result]
    ? undefined
    : { outcome: 'rejected', reason: 'tooManyPayments' };
};

/**
 * Applies a payment to a cart. The same events always result in the same cart, in any order and however often each one
 * arrives.
 */
export const applyPayment = (cart: Cart, payment: Payment): PaymentOutcome => {
  const payments = cart.payments ?? [];
  const earlier = payments.find(({ eventId }) => eventId === payment.eventId);
  const unrecorded = unrecordedOutcome(payment, cart, earlier);
  if (unrecorded) return unrecorded;

  const next = afterPayments(cart, [...payments, payment].toSorted(byOccurrence));
  const { status: from } = statusAt(cart, payment.occurredAtMs);
  const occurredAt = new Date(next.updatedAtMs).toISOString();
  const change = next.status === cart.status ? undefined : { from, to: next.status, occurredAt };
  return { outcome: 'recorded', cart: next, change };
};
