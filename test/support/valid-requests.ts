import { cartEvent } from '../../lib/carts/cart-event.ts';
import { formatCursor } from '../../lib/events/cursor.ts';
import { logEvent } from '../../lib/events/logged-event.ts';
import { CREATED_AT_MS, waitingCart } from './payments.ts';
import type { OperationRequest } from './invoke.ts';
import { fixedProduct } from './products.ts';
import { publicDeliveryId } from '../../lib/deliveries/delivery-view.ts';
import { cartBody, type MerchantOperationName } from './service.ts';

/** The database calls of a request: the key with its token, the read beside it, and the new cart. */
export type DatabaseCall = 'key' | 'read' | 'put';

interface ValidRequest {
  readonly request: OperationRequest;
  /** The status of its response where {@link STORED} items exist. */
  readonly status: number;
  /** Its database calls, in order: an event follows a read of the last one. */
  readonly calls: readonly DatabaseCall[];
  /** The read needs the store of the key, so it waits for the key's call. */
  readonly readsAfterKey?: true;
  /** Stored items of the wrong shape, which the operation's read returns; the response is a 500. */
  readonly malformedItems: Readonly<Record<string, object>>;
}

const CART = waitingCart({ mode: 'test', expiresAtMs: CREATED_AT_MS + 86_400_000 });

const EVENT = logEvent(cartEvent({ type: 'cart.completed', cart: CART, cause: '' }), 1, CREATED_AT_MS);

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
    eventId: EVENT.id,
    type: EVENT.type,
    recordedAtMs: EVENT.recordedAtMs,
    sequence: EVENT.sequence,
    latest: 'succeeded',
    deleteAtSeconds: 9_999_999_999,
  },
} as const;

/** The beginning of the log of {@link STORED}'s store. Without a cursor, a page takes further reads. */
const CURSOR = formatCursor(STORED.cart, { sequence: 0, seenUntilMs: CREATED_AT_MS });

const pathParameters = { endpointId: STORED.endpoint.endpointId };

const LATER_ENDPOINT = { 'an endpoint of a later release': { log: 'test#store-1', schemaVersion: 99 } };

/** An operation on one endpoint, which belongs to the store of the key. */
const ON_ENDPOINT = {
  request: { pathParameters },
  readsAfterKey: true,
  malformedItems: LATER_ENDPOINT,
} as const;

/** One valid request of each merchant operation. The compiler reports a missing one. */
export const VALID_REQUESTS: Readonly<Record<MerchantOperationName, ValidRequest>> = {
  createCartCheckout: {
    request: { body: cartBody(STORED.product.id) },
    status: 201,
    calls: ['key', 'read', 'put'],
    malformedItems: {
      'a product without pricing': { id: 'course', storeId: 'store-1', available: true },
    },
  },
  getCart: {
    request: { pathParameters: { cartId: STORED.cart.id } },
    status: 200,
    calls: ['key', 'read'],
    malformedItems: {
      'a cart without times': { storeId: 'store-1', mode: 'test' },
      'a cart with a text as its time': {
        storeId: 'store-1',
        mode: 'test',
        customerInfo: {},
        createdAtMs: 'now',
      },
    },
  },
  expireCart: {
    request: { pathParameters: { cartId: STORED.cart.id } },
    status: 200,
    calls: ['key', 'read', 'read', 'put'],
    malformedItems: { 'a cart without times': { storeId: 'store-1', mode: 'test' } },
  },
  listEvents: {
    request: { query: { after: CURSOR } },
    status: 200,
    calls: ['key', 'read'],
    readsAfterKey: true,
    malformedItems: { 'an event without a body': { log: 'test#store-1', sequence: 1 } },
  },
  createWebhookEndpoint: {
    request: { body: JSON.stringify({ url: 'https://shop.example/hook' }) },
    status: 201,
    // The beginning and end of the host's check, the endpoints before and after the write, and the last event.
    calls: ['key', 'key', 'key', 'read', 'read', 'put', 'read'],
    readsAfterKey: true,
    malformedItems: LATER_ENDPOINT,
  },
  listWebhookEndpoints: {
    request: {},
    status: 200,
    calls: ['key', 'read'],
    readsAfterKey: true,
    malformedItems: LATER_ENDPOINT,
  },
  getWebhookEndpoint: { ...ON_ENDPOINT, status: 200, calls: ['key', 'read'] },
  updateWebhookEndpoint: {
    ...ON_ENDPOINT,
    request: { pathParameters, body: JSON.stringify({ enabled: false }) },
    status: 200,
    calls: ['key', 'read', 'read', 'put', 'read'],
  },
  deleteWebhookEndpoint: { ...ON_ENDPOINT, status: 200, calls: ['key', 'read', 'read', 'put'] },
  rotateWebhookSecret: {
    ...ON_ENDPOINT,
    request: { pathParameters, body: '{}' },
    status: 200,
    calls: ['key', 'read', 'read', 'read', 'put'],
  },
  testWebhookEndpoint: { ...ON_ENDPOINT, status: 202, calls: ['key', 'read', 'put'] },
  listWebhookDeliveries: { ...ON_ENDPOINT, status: 200, calls: ['key', 'read', 'read'] },
  resendWebhookDelivery: {
    ...ON_ENDPOINT,
    request: { pathParameters: { ...pathParameters, deliveryId: publicDeliveryId(STORED.delivery) } },
    status: 202,
    calls: ['key', 'read', 'read', 'read', 'put'],
  },
};

/** The names of the merchant operations. */
export const MERCHANT_OPERATIONS = Object.keys(VALID_REQUESTS) as readonly MerchantOperationName[];

/** The operations that read while the key's call runs. */
export const EARLY_READERS = MERCHANT_OPERATIONS.filter((name) => !VALID_REQUESTS[name].readsAfterKey);

/** Every database call of every merchant operation. */
export const DATABASE_CALLS = MERCHANT_OPERATIONS.flatMap((name) =>
  [...new Set(VALID_REQUESTS[name].calls)].map((call) => [name, call] as const),
);
