import { refundablePayment } from '../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import { expireNow, type ExpireNowDependencies } from '../../lib/carts/expiry/expire-now.ts';
import { ApiError } from '../../lib/http/errors.ts';
import {
  type PaymentEventOutcome,
  type RecordDependencies,
  recordPaymentEvent,
} from '../../lib/payments/record-payment-event.ts';
import { type Action, type PaymentAction, paymentsOf } from './actions.ts';
import type { Notice } from './notices.ts';

export interface ActionDependencies extends RecordDependencies, ExpireNowDependencies {
  readonly newId: () => string;
}

/** The cart after an action, with a notice if the action was rejected. */
interface Performed {
  readonly cart: Cart;
  readonly notice?: Notice;
}

type Rejection = Extract<PaymentEventOutcome, { outcome: 'rejected' }>['reason'];

const noticeOf = (reason: Rejection): Notice => {
  if (reason === 'amountMismatch') return 'wrong_amount';
  if (reason === 'tooManyPayments') return 'too_many_payments';
  // The table's TTL deleted the cart meanwhile.
  if (reason === 'unknownCart') throw new ApiError('cartNotFound');
  // Each payment has new ids, and the cart's own mode.
  throw new Error(`A sandbox payment was rejected: ${reason}`);
};

/** Records the payments of an action with the code for real payments. */
const pay = async (
  action: PaymentAction,
  cart: Cart,
  { now, newId, carts, paymentRecords }: ActionDependencies,
  signal: AbortSignal,
): Promise<Performed> => {
  let current = cart;
  for (const payment of paymentsOf(action, cart, now(), newId)) {
    // oxlint-disable-next-line no-await-in-loop -- payments must arrive in this order
    const recorded = await recordPaymentEvent(
      { cartId: cart.id, mode: cart.mode, payment },
      { carts, paymentRecords },
      signal,
    );
    if (recorded.outcome === 'rejected') return { cart: current, notice: noticeOf(recorded.reason) };
    current = recorded.cart;
  }
  return { cart: current };
};

/** Records a refund with the code for real refunds. A payment has one refund id, so a double click refunds it once. */
const refundPayment = async (
  cart: Cart,
  { now, carts, paymentRecords }: ActionDependencies,
  signal: AbortSignal,
): Promise<Performed> => {
  const payment = refundablePayment(cart);
  if (!payment) return { cart, notice: 'nothing_to_refund' };
  const refund = { ...payment, refundId: `sandbox-${payment.paymentId}`, occurredAtMs: now() };
  const event = { cartId: cart.id, mode: cart.mode, refund };
  const recorded = await recordPaymentEvent(event, { carts, paymentRecords }, signal);
  return recorded.outcome === 'rejected' ? { cart, notice: 'nothing_to_refund' } : { cart: recorded.cart };
};

const expire = async (
  cart: Cart,
  dependencies: ActionDependencies,
  signal: AbortSignal,
): Promise<Performed> => {
  const expired = await expireNow(cart, dependencies, signal);
  if (expired.outcome === 'unknown') throw new ApiError('cartNotFound');
  return { cart: expired.cart, ...(expired.outcome === 'hasPayment' && { notice: 'has_payment' }) };
};

/**
 * Performs an action with the code for real payments, refunds and expiries.
 *
 * @throws ApiError `cartNotFound` if the cart is deleted
 * @throws when DynamoDB is slow, throttles or is down
 */
export const performAction = (
  action: Action,
  cart: Cart,
  dependencies: ActionDependencies,
  signal: AbortSignal,
): Promise<Performed> => {
  if (action === 'expire') return expire(cart, dependencies, signal);
  if (action === 'refund') return refundPayment(cart, dependencies, signal);
  return pay(action, cart, dependencies, signal);
};
