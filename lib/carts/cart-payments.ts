import { statusAfter, statusAt } from './cart-status.ts';
import type { Cart, CartStatus } from './cart.ts';
import type { CausedEvent, ChangedCart } from './changed-cart.ts';
import { byOccurrence, isSamePayment, type Payment, type PaymentResult, tookMoney } from './payment.ts';

/** The fields of a cart that follow from its payments. */
const PAYMENT_FIELDS = [
  'status',
  'updatedAtMs',
  'paymentId',
  'failureReason',
  'completedAtMs',
  'latePayment',
] as const satisfies readonly (keyof Cart)[];

type PaymentField = (typeof PAYMENT_FIELDS)[number];

type PaymentState = Pick<Cart, PaymentField>;

/** The fields of a cart that do not follow from its payments. */
const fixedFieldsOf = (cart: Cart): Omit<Cart, PaymentField> =>
  Object.fromEntries(
    Object.entries(cart).filter(([name]) => !PAYMENT_FIELDS.some((field) => field === name)),
  ) as unknown as Omit<Cart, PaymentField>;

/** The state after a payment that happened last. */
const stateAfter = (state: PaymentState, payment: Payment, cart: Cart): PaymentState => {
  const { result, paymentId, occurredAtMs, failureReason } = payment;
  const { status: from } = statusAt({ ...cart, ...state }, occurredAtMs);
  if (from === 'completed') return state;
  const status = statusAfter(from, result);
  if (status === 'abandoned') return state;
  // The sender's clock may be behind ours.
  const updatedAtMs = Math.max(cart.createdAtMs, occurredAtMs);
  if (status !== 'completed') return { status, updatedAtMs, paymentId, failureReason };
  const completed: PaymentState = { status, updatedAtMs, paymentId, completedAtMs: updatedAtMs };
  return from === 'abandoned' ? { ...completed, latePayment: true } : completed;
};

/**
 * Whether a payment is a duplicate: a success besides the payment that completed the cart. The first recorded success
 * completes the cart, even if another one happened earlier. Merchant and refund must name the same payment.
 */
const isDuplicateOn = (recorded: Cart, { result, paymentId }: Payment): boolean =>
  recorded.status === 'completed' && tookMoney(result) && paymentId !== recorded.paymentId;

/** The cart after all its payments, in the order in which they happened. */
const afterPayments = (cart: Cart, payments: readonly Payment[]): Cart => {
  const unpaid: PaymentState = { status: 'waiting_payment', updatedAtMs: cart.createdAtMs };
  const state = payments
    .filter((payment) => !isDuplicateOn(cart, payment))
    .reduce((before, payment) => stateAfter(before, payment, cart), unpaid);
  const { deleteAtSeconds, ...paid } = { ...fixedFieldsOf(cart), ...state, payments };
  // A completed cart is never deleted.
  return state.status === 'completed' ? paid : { ...paid, deleteAtSeconds };
};

/** The ids of a completed cart's other successful payments, which need refunds. */
export const duplicatePaymentIds = (cart: Cart): readonly string[] => {
  const duplicates = (cart.payments ?? []).filter((payment) => isDuplicateOn(cart, payment));
  return [...new Set(duplicates.map(({ paymentId }) => paymentId))];
};

/**
 * A cart with this many payments rejects a further one with this result. Failures can use only half, so they never cause
 * the rejection of a success. 200 payments stay far below DynamoDB's 400 KB per item.
 */
export const PAYMENTS_MAX: Readonly<Record<PaymentResult, number>> = { failed: 100, succeeded: 200 };

export type PaymentOutcome =
  | ({ readonly outcome: 'recorded' } & ChangedCart)
  /** The event is on the cart already. A duplicate payment is another one: see {@link duplicatePaymentIds}. */
  | { readonly outcome: 'alreadyRecorded'; readonly cart: Cart }
  | {
      readonly outcome: 'rejected';
      readonly reason: 'amountMismatch' | 'conflictingEvent' | 'tooManyPayments';
    };

/** The outcome of a redelivered or rejected event. `undefined` for any other. */
const unrecordedOutcome = (
  payment: Payment,
  cart: Cart,
  earlier: Payment | undefined,
): PaymentOutcome | undefined => {
  if (earlier) {
    return isSamePayment(earlier, payment)
      ? { outcome: 'alreadyRecorded', cart }
      : { outcome: 'rejected', reason: 'conflictingEvent' };
  }
  const { amount, currency } = cart.price;
  if (tookMoney(payment.result) && (payment.amount !== amount || payment.currency !== currency)) {
    return { outcome: 'rejected', reason: 'amountMismatch' };
  }
  return (cart.payments?.length ?? 0) < PAYMENTS_MAX[payment.result]
    ? undefined
    : { outcome: 'rejected', reason: 'tooManyPayments' };
};

/** The event of a payment that brings a cart to a status. */
const EVENT_OF_STATUS: Readonly<Record<CartStatus, CausedEvent['type'] | undefined>> = {
  completed: 'cart.completed',
  payment_failed: 'cart.payment_failed',
  waiting_payment: undefined,
  abandoned: undefined,
};

/**
 * The event that a payment causes. A late correction of a completed cart's dates causes none: merchants would take it for a
 * second completion.
 */
const eventOf = (cart: Cart, next: Cart, payment: Payment): CausedEvent | undefined => {
  const { paymentId, eventId: cause } = payment;
  if (isDuplicateOn(cart, payment)) {
    const isKnown = duplicatePaymentIds(cart).includes(paymentId);
    return isKnown ? undefined : { type: 'cart.duplicate_payment', cause, duplicatePaymentId: paymentId };
  }
  if (next.status === cart.status && next.paymentId === cart.paymentId) return undefined;
  const type = EVENT_OF_STATUS[next.status];
  return type && { type, cause };
};

/**
 * Applies a payment to a cart. The result depends only on the cart's payments and on which success was recorded first.
 * Otherwise, neither the order of arrival nor a redelivery matters.
 */
export const applyPayment = (cart: Cart, payment: Payment): PaymentOutcome => {
  const payments = cart.payments ?? [];
  const earlier = payments.find(({ eventId }) => eventId === payment.eventId);
  const unrecorded = unrecordedOutcome(payment, cart, earlier);
  if (unrecorded) return unrecorded;

  const next = afterPayments(cart, [...payments, payment].toSorted(byOccurrence));
  const event = eventOf(cart, next, payment);
  return { outcome: 'recorded', cart: next, ...(event && { event }) };
};
