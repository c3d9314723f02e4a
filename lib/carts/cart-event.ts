import { parseJson } from '../core/parse-json.ts';
import { isoTime } from '../core/timestamps.ts';
import { UnreadableItemError } from '../database/readable-item.ts';
import { CART_EVENT_TYPES, type CartEventType } from '../events/event-types.ts';
import { type EventBody, eventIdFrom, type NewEvent } from '../events/logged-event.ts';
import { type RefundView, type RetrievedCartView, viewRefund, viewRetrievedCart } from './cart-view.ts';
import type { Cart } from './cart.ts';
import type { CausedEvent } from './changed-cart.ts';

/** The cart as retrieval shows it at the time of the event. */
export interface CartEventData extends RetrievedCartView {
  /** The second payment, in a `cart.duplicate_payment`. `paymentId` completed the cart. */
  readonly duplicatePaymentId?: string | undefined;
  /** The refund that a `cart.refunded` reports. The cart's `refunds` have it too. */
  readonly refund?: RefundView | undefined;
}

/** An event about a cart, as merchants receive it. */
export interface CartEvent extends EventBody {
  readonly type: CartEventType;
  readonly data: CartEventData;
}

/** The input of {@link cartEvent}: a change of a cart. */
export interface CartEventInput extends Omit<CausedEvent, 'type'> {
  readonly type: CartEventType;
  /** The cart after the change. */
  readonly cart: Cart;
}

/** The cause of a `cart.abandoned`: the expiry of the cart. */
export const expiryCause = ({ expiresAtMs }: Pick<Cart, 'expiresAtMs'>): string => `expiry ${expiresAtMs}`;

/**
 * The id of the event of a change: the same change always has the same id. A tab separates the parts, because neither ids nor
 * types contain one.
 */
export const eventIdOf = ({ type, cart, cause }: CartEventInput): string =>
  eventIdFrom([cart.id, type, cause].join('\t'));

/** The event of a change. Its data is the cart as retrieval shows it when the event is recorded. */
export const cartEvent = (change: CartEventInput): NewEvent => {
  const { type, cart, duplicatePaymentId, refund: refunded } = change;
  const refund = refunded && viewRefund(refunded);
  const id = eventIdOf(change);
  return {
    storeId: cart.storeId,
    mode: cart.mode,
    id,
    type,
    cartId: cart.id,
    bodyAt: (recordedAtMs) => {
      // The clock may have moved back since the cart expired.
      const view = viewRetrievedCart(cart, Math.max(recordedAtMs, cart.expiresAtMs));
      const timestamp = isoTime(recordedAtMs);
      return { id, type, timestamp, data: { ...view, duplicatePaymentId, refund } } satisfies CartEvent;
    },
  };
};

/** Parses the body of an event about a cart. `undefined` if it is not JSON, or if its cart has no `customerInfo`. */
export const parseCartEvent = (body: string): CartEvent | undefined => {
  const event = parseJson(body) as Partial<CartEvent> | null | undefined;
  const customerInfo: unknown = event?.data?.customerInfo;
  return typeof customerInfo === 'object' && customerInfo !== null ? (event as CartEvent) : undefined;
};

/**
 * Parses the body of a stored event about a cart.
 *
 * @throws UnreadableItemError if it is not JSON, or if its cart has no `customerInfo`. The message does not quote it
 */
export const requireCartEvent = (body: string): CartEvent => {
  const event = parseCartEvent(body);
  if (!event) throw new UnreadableItemError('A stored event has no valid body');
  return event;
};

const paymentCauses = ({ payments = [] }: Cart): readonly string[] => payments.map(({ eventId }) => eventId);

/** The causes that a change of each type can have. */
const CAUSES: Readonly<Record<CartEventType, (cart: Cart) => readonly string[]>> = {
  'cart.completed': paymentCauses,
  'cart.payment_failed': paymentCauses,
  'cart.duplicate_payment': paymentCauses,
  'cart.abandoned': (cart) => [expiryCause(cart)],
  'cart.refunded': ({ refunds = [] }) => refunds.map(({ refundId }) => refundId),
};

/**
 * The ids that the events of a cart can have, whether they were recorded or not. Deliveries name only the event, and live
 * longer than it.
 */
export const possibleEventIds = (cart: Cart): readonly string[] =>
  CART_EVENT_TYPES.flatMap((type) => CAUSES[type](cart).map((cause) => eventIdOf({ type, cart, cause })));
