import { IDEMPOTENCY_SECRET_IDS } from '../../../lib/idempotency/idempotency-secret.ts';
import { cartBody } from '../domain/cart-body.ts';
import { MOVE_KEY, WRITE_LIVE_CART, writeEventsExcept } from './denied.ts';
import {
  type HttpFunctionRow,
  type IsolatedRow,
  type MeasuredRow,
  type MerchantRow,
  on,
} from './row-types.ts';
import { STORED } from './stored.ts';

const ofStoredCart = { pathParameters: { cartId: STORED.cart.id } };

const isolatedCarts: IsolatedRow['isolation'] = ({ cartId, idempotentCartId }) =>
  [cartId, idempotentCartId].map((id) => ({ pathParameters: { cartId: id } }));

/** The operations on carts. */
export const CART_OPERATIONS = {
  createCartCheckout: {
    request: { body: cartBody(STORED.product.id) },
    status: 201,
    calls: ['key', 'read', 'write'],
    readsWithKey: true,
    malformedItems: [['a product without pricing', { id: 'course', storeId: 'store-1', available: true }]],
    isolation: ({ productId, idempotencyKey }, caller) =>
      [productId, caller.productId].map((product) => ({
        body: cartBody(product),
        headers: { 'Idempotency-Key': idempotencyKey },
      })),
  },
  getCart: {
    request: ofStoredCart,
    status: 200,
    calls: ['key', 'read'],
    readsWithKey: true,
    malformedItems: [
      ['a cart without times', { storeId: 'store-1', mode: 'test' }],
      [
        'a cart with a text as its time',
        { storeId: 'store-1', mode: 'test', customerInfo: {}, createdAtMs: 'now' },
      ],
    ],
    isolation: isolatedCarts,
  },
  expireCart: {
    request: ofStoredCart,
    status: 200,
    calls: ['key', 'read', 'read', 'write'],
    readsWithKey: true,
    malformedItems: [['a cart without times', { storeId: 'store-1', mode: 'test' }]],
    isolation: isolatedCarts,
    // The first event of a log needs checks more, once.
    prepare: async ({ apiKey, givenCart, send }) => {
      await send('expireCart', { pathParameters: { cartId: await givenCart() } });
      return { apiKey, pathParameters: { cartId: await givenCart() } };
    },
  },
} as const satisfies Readonly<Record<string, Partial<MerchantRow & IsolatedRow & MeasuredRow>>>;

/** The functions of these operations. */
export const CART_FUNCTIONS = {
  'create-cart-checkout': {
    load: async () => (await import('../../../functions/create-cart-checkout/handler.ts')).createCartCheckout,
    // A stage without a secret gets one.
    warmUp: {
      connections: 3,
      calls: ['GetItem products', 'GetItem secrets', 'PutItem secrets', 'UpdateItem api-keys'],
    },
    denied: [
      MOVE_KEY,
      ['write the claim of a payment', on('carts', 'PutItem', 'payment#1')],
      ['read the secret of endpoints', on('secrets', 'GetItem', IDEMPOTENCY_SECRET_IDS.endpoints)],
    ],
  },
  'get-cart': {
    load: async () => (await import('../../../functions/get-cart/handler.ts')).getCartFunction,
    warmUp: { connections: 2, calls: ['GetItem test-carts', 'UpdateItem api-keys'] },
    denied: [WRITE_LIVE_CART],
  },
  'expire-cart': {
    load: async () => (await import('../../../functions/expire-cart/handler.ts')).expireCart,
    warmUp: { connections: 2, calls: ['GetItem test-carts', 'UpdateItem api-keys'] },
    denied: [WRITE_LIVE_CART, ...writeEventsExcept('abandonment')],
  },
} as const satisfies Readonly<Record<string, HttpFunctionRow>>;
