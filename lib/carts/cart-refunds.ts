import { fromMinorUnits, toMinorUnits } from '../products/price.ts';
import { duplicatePaymentIds } from './cart-payments.ts';
import type { Cart } from './cart.ts';
import type { ChangedCart } from './changed-cart.ts';
import { tookMoney } from './payment.ts';
import { isSameRefund, type Refund, withRefund } from './refund.ts';

/** The most refunds of a cart that take effect, and the most that wait for their payment. */
export const REFUNDS_MAX = 20;

export type RefundOutcome =
  | ({ readonly outcome: 'recorded' } & ChangedCart)
  | { readonly outcome: 'alreadyRecorded'; readonly cart: Cart }
  | {
      readonly outcome: 'rejected';
      readonly reason: 'amountMismatch' | 'conflictingEvent' | 'tooManyRefunds';
    };

/** Whether a payment of a cart succeeded. Only such a payment has money to give back. */
const isPaidBy = ({ payments = [] }: Cart, paymentId: string): boolean =>
  payments.some((payment) => payment.paymentId === paymentId && tookMoney(payment.result));

/** The cart with a refund that takes effect, and its event. The status stays. */
const refundedCart = (cart: Cart, refund: Refund): ChangedCart => ({
  cart: { ...cart, refunds: withRefund(cart.refunds, refund) },
  event: { type: 'cart.refunded', cause: refund.refundId, refund },
});

/**
 * Applies a refund to a cart. One that comes before its payment is kept without an effect: see {@link releaseRefund}. An excess
 * is recorded as reported, because the money has moved.
 */
export const applyRefund = (cart: Cart, refund: Refund): RefundOutcome => {
  const { refunds = [], earlyRefunds = [], price } = cart;
  const known = [...refunds, ...earlyRefunds];
  const earlier = known.find(({ refundId }) => refundId === refund.refundId);
  if (earlier) {
    return isSameRefund(earlier, refund)
      ? { outcome: 'alreadyRecorded', cart }
      : { outcome: 'rejected', reason: 'conflictingEvent' };
  }
  if (refund.currency !== price.currency) return { outcome: 'rejected', reason: 'amountMismatch' };
  const isPaid = isPaidBy(cart, refund.paymentId);
  if ((isPaid ? refunds : earlyRefunds).length >= REFUNDS_MAX)
    return { outcome: 'rejected', reason: 'tooManyRefunds' };
  return isPaid
    ? { outcome: 'recorded', ...refundedCart(cart, refund) }
    : { outcome: 'recorded', cart: { ...cart, earlyRefunds: withRefund(earlyRefunds, refund) } };
};

/** Whether a refund waits for its payment. */
export const isEarlyRefund = ({ earlyRefunds = [] }: Cart, { refundId }: Refund): boolean =>
  earlyRefunds.some((early) => early.refundId === refundId);

/** Gives effect to a refund whose payment has been recorded since. `undefined` if there is none, or no place for it. */
export const releaseRefund = (cart: Cart): ChangedCart | undefined => {
  const { earlyRefunds = [], ...rest } = cart;
  if ((cart.refunds ?? []).length >= REFUNDS_MAX) return undefined;
  const released = earlyRefunds.find(({ paymentId }) => isPaidBy(cart, paymentId));
  if (!released) return undefined;
  const left = earlyRefunds.filter((each) => each !== released);
  return refundedCart({ ...rest, ...(left.length > 0 && { earlyRefunds: left }) }, released);
};

type Refunded = Pick<Cart, 'price' | 'refunds' | 'paymentId'>;

const refundsOf = ({ refunds = [] }: Refunded, paymentId: string | undefined): readonly Refund[] =>
  refunds.filter((refund) => refund.paymentId === paymentId);

const refundedUnits = (cart: Refunded, paymentId: string | undefined): bigint =>
  refundsOf(cart, paymentId).reduce((sum, { amount, currency }) => sum + toMinorUnits(amount, currency), 0n);

/**
 * A successful payment minus its refunds, in minor units. It is negative if the refunds exceed the payment. Every
 * successful payment has the cart's price.
 */
export const unitsLeft = (cart: Refunded, paymentId: string | undefined): bigint =>
  toMinorUnits(cart.price.amount, cart.price.currency) - refundedUnits(cart, paymentId);

/** The refunded amount of the payment that completed a cart, in the currency's main unit. `undefined` without a refund. */
export const refundedAmount = (cart: Refunded): number | undefined =>
  refundsOf(cart, cart.paymentId).length === 0
    ? undefined
    : fromMinorUnits(refundedUnits(cart, cart.paymentId), cart.price.currency);

/**
 * The payment of a completed cart that a person would refund next, with what is left of it: a duplicate payment, else the one
 * that completed the cart. `undefined` if nothing is left.
 */
export const refundablePayment = (
  cart: Cart,
): Pick<Refund, 'paymentId' | 'amount' | 'currency'> | undefined => {
  const { status, price, paymentId: completedBy } = cart;
  if (status !== 'completed' || completedBy === undefined) return undefined;
  const paymentId = [...duplicatePaymentIds(cart), completedBy].find((id) => unitsLeft(cart, id) > 0n);
  if (paymentId === undefined) return undefined;
  const { currency } = price;
  return { paymentId, amount: fromMinorUnits(unitsLeft(cart, paymentId), currency), currency };
};
