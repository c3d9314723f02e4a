import type { Cart } from '../carts/cart.ts';
import { type PaymentStores, type RecordedPayment, recordPayment } from '../carts/record-payment.ts';
import type { Clock } from '../clock.ts';
import { ApiError } from '../http/errors.ts';
import type { StoreDirectory } from '../stores/store-directory.ts';
import { type Action, paymentsOf } from './actions.ts';
import type { Notice } from './notices.ts';

export interface SandboxDependencies extends PaymentStores {
  readonly stores: Pick<StoreDirectory, 'find'>;
  readonly now: Clock;
  readonly newId: () => string;
}

/** The cart after an action, with a notice if a payment was rejected. */
export interface Performed {
  readonly cart: Cart;
  readonly notice?: Notice;
}

type Rejection = Extract<RecordedPayment, { outcome: 'rejected' }>['reason'];

const noticeOf = (reason: Rejection): Notice => {
  if (reason === 'amountMismatch') return 'wrong_amount';
  if (reason === 'tooManyPayments') return 'too_many_payments';
  // The table's TTL deleted the cart meanwhile.
  if (reason === 'unknownCart') throw new ApiError('cartNotFound');
  // Each payment has new ids, and the cart's own mode.
  throw new Error(`A sandbox payment was rejected: ${reason}`);
};

/**
 * Records the payments of an action with the code for real payments.
 *
 * @throws ApiError `cartNotFound` if the cart is deleted
 * @throws when DynamoDB is slow, throttles or is down
 */
export const performAction = async (
  action: Action,
  cart: Cart,
  { now, newId, carts, payments }: SandboxDependencies,
  signal: AbortSignal,
): Promise<Performed> => {
  let current = cart;
  for (const payment of paymentsOf(action, cart, now(), newId)) {
    // oxlint-disable-next-line no-await-in-loop -- payments must arrive in this order
    const recorded = await recordPayment(
      { cartId: cart.id, mode: cart.mode, payment },
      { carts, payments },
      signal,
    );
    if (recorded.outcome === 'rejected') return { cart: current, notice: noticeOf(recorded.reason) };
    current = recorded.cart;
  }
  return { cart: current };
};
