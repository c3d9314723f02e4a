import { cartEvent } from '../../../lib/carts/cart-event.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { loggedEvent } from '../../../lib/events/logged-event.ts';
import { CREATED_AT_MS, waitingCart } from '../domain/payments.ts';
import { fixedProduct } from '../domain/products.ts';

const CART = waitingCart({ mode: 'test', expiresAtMs: CREATED_AT_MS + 86_400_000 });

const EVENT = loggedEvent(cartEvent({ type: 'cart.completed', cart: CART, cause: '' }), 1, CREATED_AT_MS);

/** The items of the default store that valid requests read. */
export const STORED = {
  product: fixedProduct(),
  secret: { secret: new Uint8Array(32) },
  cart: CART,
  event: EVENT,
  endpoint: {
    storeId: 'store-1',
    mode: 'test',
    endpointId: 'we_0123456789abcdefghijABCD',
    url: 'https://shop.example/hook',
    createdAtMs: CREATED_AT_MS,
  },
  delivery: {
    endpointId: 'we_0123456789abcdefghijABCD',
    id: deliveryId({ recordedAtMs: EVENT.recordedAtMs, eventId: EVENT.id }),
    eventId: EVENT.id,
    type: EVENT.type,
    recordedAtMs: EVENT.recordedAtMs,
    sequence: EVENT.sequence,
    latest: 'succeeded',
    deleteAtSeconds: 9_999_999_999,
  },
} as const;
