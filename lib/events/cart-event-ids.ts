import type { Cart } from '../carts/cart.ts';
import { eventIdOf, expiryCause } from './new-event.ts';
import type { EventType } from './store-event.ts';

const PAYMENT_TYPES = ['cart.completed', 'cart.payment_failed', 'cart.duplicate_payment'] as const;

/**
 * The ids that the events of a cart can have, whether they were recorded or not. Deliveries name only the event, and live
 * longer than it.
 */
export const possibleEventIds = (cart: Cart): readonly string[] => {
  const idOf = (type: EventType, cause: string): string => eventIdOf({ type, cart, cause });
  const ofPayments = (cart.payments ?? []).flatMap(({ eventId }) =>
    PAYMENT_TYPES.map((type) => idOf(type, eventId)),
  );
  return [...ofPayments, idOf('cart.abandoned', expiryCause(cart))];
};
