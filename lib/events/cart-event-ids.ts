import { PAYMENT_EVENT_TYPES } from '../carts/cart-lifecycle.ts';
import type { Cart } from '../carts/cart.ts';
import type { Payment } from '../carts/payment.ts';
import { eventIdOf, expiryCause } from './new-event.ts';

/** The ids that the event about a payment can have. The payment caused at most one event. */
export const paymentEventIds = (cart: Cart, { eventId }: Pick<Payment, 'eventId'>): readonly string[] =>
  PAYMENT_EVENT_TYPES.map((type) => eventIdOf({ type, cart, cause: eventId }));

/** The id of the event about the expiry of a cart. */
export const abandonmentEventId = (cart: Cart): string =>
  eventIdOf({ type: 'cart.abandoned', cart, cause: expiryCause(cart) });

/**
 * The ids that the events of a cart can have, whether they were recorded or not. Deliveries name only the event, and live
 * longer than it.
 */
export const possibleEventIds = (cart: Cart): readonly string[] => [
  ...(cart.payments ?? []).flatMap((payment) => paymentEventIds(cart, payment)),
  abandonmentEventId(cart),
];
