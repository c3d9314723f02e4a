import { paidCarts } from '../../lib/carts/cart-events.ts';
import type { PaidCart } from '../../lib/carts/cart-lifecycle.ts';
import { CART_EVENT_SOURCE as source, type CartEvent } from '../cart-events.ts';

/** The event that a pipe of a deployed stage makes from a stream record, if any. */
const toEvent = ({ cart, change, duplicate }: PaidCart): CartEvent | undefined => {
  const { id: cartId, storeId, mode, paymentId = '' } = cart;
  const about = { cartId, storeId, mode, paymentId };
  if (change) return { source, 'detail-type': 'cart.status_changed', detail: { ...about, ...change } };
  if (!duplicate) return undefined;
  const { paymentId: duplicatePaymentId, occurredAt } = duplicate;
  const detail = { ...about, duplicatePaymentId, occurredAt };
  return { source, 'detail-type': 'cart.duplicate_payment', detail };
};

/**
 * Reports the events about the carts that this process stores. It does not read the table's stream, because a stream
 * slows down the writes of the embedded DynamoDB.
 *
 * @returns a function that ends the reports
 */
export const watchCartEvents = (report: (event: CartEvent) => void): (() => void) => {
  const listen = (message: unknown): void => {
    const event = toEvent(message as PaidCart);
    if (event) report(event);
  };
  paidCarts.subscribe(listen);
  return () => paidCarts.unsubscribe(listen);
};
