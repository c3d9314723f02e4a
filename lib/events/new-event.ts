import { viewRetrievedCart } from '../carts/cart-view.ts';
import type { Cart } from '../carts/cart.ts';
import { eventIdFrom } from './event-id.ts';
import type { EventType, LoggedEvent, StoreEvent } from './store-event.ts';

/** An event that is not in its log yet. */
export interface NewEvent {
  readonly type: EventType;
  /** The cart after the change. */
  readonly cart: Cart;
  /** The cause of the change: the `eventId` of a payment, or the cart's expiry. */
  readonly cause: string;
  /** Of a `cart.duplicate_payment`. */
  readonly duplicatePaymentId?: string | undefined;
}

/** The cause of a `cart.abandoned`: the expiry of the cart. */
export const expiryCause = ({ expiresAtMs }: Pick<Cart, 'expiresAtMs'>): string => `expiry ${expiresAtMs}`;

/**
 * The id of an event: the same change always has the same id. A tab separates the parts, because neither ids nor types
 * contain one.
 */
export const eventIdOf = ({ type, cart, cause }: NewEvent): string =>
  eventIdFrom([cart.id, type, cause].join('\t'));

/** Gives an event its number and time. Its data is the cart as retrieval shows it at this time. */
export const logEvent = (event: NewEvent, sequence: number, recordedAtMs: number): LoggedEvent => {
  const { type, cart, duplicatePaymentId } = event;
  const id = eventIdOf(event);
  const body: StoreEvent = {
    id,
    type,
    timestamp: new Date(recordedAtMs).toISOString(),
    // The clock may have moved back since the cart expired.
    data: { ...viewRetrievedCart(cart, Math.max(recordedAtMs, cart.expiresAtMs)), duplicatePaymentId },
  };
  return {
    storeId: cart.storeId,
    mode: cart.mode,
    sequence,
    id,
    type,
    cartId: cart.id,
    recordedAtMs,
    body: JSON.stringify(body),
  };
};
