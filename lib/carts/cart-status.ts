import type { Cart, CartStatus } from './cart.ts';
import type { PaymentResult } from './payment.ts';

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

/** The status of a cart after a payment, by its status before. */
export const statusAfter = (from: CartStatus, result: PaymentResult): CartStatus =>
  from === 'completed' ? from : TRANSITIONS[from][result];

/** A cart's status at a time, and when it got that status. A cart without a payment is abandoned once it expires. */
export const statusAt = (
  cart: Pick<Cart, 'status' | 'updatedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): { status: CartStatus; updatedAtMs: number } =>
  cart.status === 'waiting_payment' && cart.expiresAtMs <= nowMs
    ? { status: 'abandoned', updatedAtMs: cart.expiresAtMs }
    : { status: cart.status, updatedAtMs: cart.updatedAtMs };
