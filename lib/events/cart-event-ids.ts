import { CAUSED_EVENT_TYPES } from '../carts/cart-lifecycle.ts';
import type { Cart } from '../carts/cart.ts';
import { eventIdOf, expiryCause } from './new-event.ts';

/**
 * The ids that the events of a cart can have, whether they were recorded or not. Deliveries name only the event, and live
 * longer than it.
 */
export const possibleEventIds = (cart: Cart): readonly string[] => [
  ...(cart.payments ?? []).flatMap(({ eventId: cause }) =>
    CAUSED_EVENT_TYPES.map((type) => eventIdOf({ type, cart, cause })),
  ),
  eventIdOf({ type: 'cart.abandoned', cart, cause: expiryCause(cart) }),
];
