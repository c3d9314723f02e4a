import type { Cart, CartStatus } from './cart.ts';
import { byOccurrence, isSamePayment, type Payment, type PaymentResult } from './payment.ts';

/**
 * The states of a cart after its creation and what a payment makes of each. `abandoned` is entered by time alone, see
 * {@link statusAt}; `completed` is never left.
 */
export const TRANSITIONS: Readonly<Record<CartStatus, Readonly<Record<PaymentResult, CartStatus>>>> = {
  waiting_payment: { succeeded: 'completed', failed: 'payment_failed' },
  // The buyer tries again.
  payment_failed: { succeeded: 'completed', failed: 'payment_failed' },
  // Late, but the money is real.
  abandoned: { succeeded: 'completed', failed: 'abandoned' },
  completed: { succeeded: 'completed', failed: 'completed' },
};

/** A cart's status at a time, and since when. A cart that waited too long is abandoned since the moment it expired. */
export const statusAt = (cart: Cart, nowMs: number): { status: CartStatus; updatedAtMs: number } =>
  cart.status === 'waiting_payment' && cart.expiresAtMs <= nowMs
    ? { status: 'abandoned', updatedAtMs: cart.expiresAtMs }
    : { status: cart.status, updatedAtMs: cart.updatedAtMs };

/** The cart after one more payment, which happened after all that the cart has seen. */
const afterPayment = (cart: Cart, { result, paymentId, occurredAtMs }: Payment): Cart => {
  const { status: from } = statusAt(cart, occurredAtMs);
  const to = TRANSITIONS[from][result];
  if (to === 'abandoned' || from === 'completed') return cart;
  // A sender's clock may be behind ours.
  const changed = { ...cart, paymentId, updatedAtMs: Math.max(cart.createdAtMs, occurredAtMs) };
  if (to !== 'completed') return { ...changed, status: 'payment_failed' };
  // What was paid is kept for good.
  const { deleteAtSeconds: _, ...kept } = changed;
  return { ...kept, status: 'completed', ...(from === 'abandoned' && { latePayment: true as const }) };
};

/** The cart that these payments make of a new one: they are taken in the order in which they happened. */
const afterPayments = (cart: Cart, payments: readonly Payment[]): Cart => {
  const { paymentId: _payment, latePayment: _late, ...rest } = cart;
  const unpaid: Cart = { ...rest, status: 'waiting_payment', updatedAtMs: cart.createdAtMs, payments };
  return payments.reduce(afterPayment, unpaid);
};

/**
 * How many payments a cart takes: far above what one buyer tries, far below DynamoDB's 400 KB an item. The second half
 * is for successes alone, so that none is refused for what failed before it.
 */
export const PAYMENTS_MAX: Readonly<Record<PaymentResult, number>> = { failed: 100, succeeded: 200 };

/** A status that became another at a time, in ISO 8601. */
export interface StatusChange {
  readonly from: CartStatus;
  readonly to: CartStatus;
  readonly occurredAt: string;
}

/** What a payment makes of a cart, or why it cannot be the cart's. */
export type PaymentOutcome =
  | { readonly outcome: 'recorded'; readonly cart: Cart; readonly change: StatusChange | undefined }
  | { readonly outcome: 'duplicate'; readonly cart: Cart }
  | {
      readonly outcome: 'rejected';
      readonly reason: 'amountMismatch' | 'conflictingEvent' | 'tooManyPayments';
    };

const refuse = (payment: Payment, cart: Cart, earlier: Payment | undefined): PaymentOutcome | undefined => {
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
 * Records a payment on a cart. Events come at least once and in any order: whatever the order and however often each
 * comes, the same events make the same cart.
 */
export const applyPayment = (cart: Cart, payment: Payment): PaymentOutcome => {
  const payments = cart.payments ?? [];
  const refusal = refuse(
    payment,
    cart,
    payments.find(({ eventId }) => eventId === payment.eventId),
  );
  if (refusal) return refusal;

  const next = afterPayments(cart, [...payments, payment].toSorted(byOccurrence));
  const { status: from } = statusAt(cart, payment.occurredAtMs);
  const occurredAt = new Date(next.updatedAtMs).toISOString();
  const change = next.status === cart.status ? undefined : { from, to: next.status, occurredAt };
  return { outcome: 'recorded', cart: next, change };
};
