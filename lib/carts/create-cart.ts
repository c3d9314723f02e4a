import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../api-keys/api-key.ts';
import type { InvalidField } from '../invalid-field.ts';
import { isSoldBy, type Product, quote } from '../products/product.ts';
import type { CartStore } from './cart-store.ts';
import { type Cart, type CartLifetime, newCart } from './cart.ts';
import type { CreateCartRequest } from './create-cart-request.ts';
import { idempotentCartId, requestFingerprint } from './idempotency.ts';

/** Who asks for a cart, and for what. */
export interface CartOrder {
  readonly apiKey: ApiKey;
  /** The API key's own text. */
  readonly secret: string;
  readonly idempotencyKey?: string | undefined;
  readonly request: CreateCartRequest;
  /** The product that the request names, of whatever store, if there is one. */
  readonly product: Product | undefined;
  /** The buyer's locale, if the request tells. */
  readonly lang?: string | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** `created`: a new cart; `replayed`: the cart that an earlier request with this idempotency key made; or a refusal. */
export type CartCreation = { readonly outcome: 'created' | 'replayed'; readonly cart: Cart } | CartRejection;

/** Why no cart is made: an error of the API by its name. */
export interface CartRejection {
  readonly outcome: 'rejected';
  readonly reason: 'invalidProduct' | 'invalidPayload' | 'idempotencyKeyReused';
  readonly details?: readonly InvalidField[];
}

/** The cart that an order asks for, or why it cannot be made. */
const draftCart = (
  order: CartOrder,
  id: string,
  lifetime: CartLifetime,
): { readonly outcome: 'drafted'; readonly cart: Cart } | CartRejection => {
  const { product, request, apiKey, lang, nowMs } = order;
  if (!isSoldBy(product, apiKey.storeId)) return { outcome: 'rejected', reason: 'invalidProduct' };
  const quoted = quote(product, request.customerPrice);
  if (!quoted.ok) {
    const details = [{ path: 'customerPrice', message: quoted.message }];
    return { outcome: 'rejected', reason: 'invalidPayload', details };
  }
  const { firstName, lastName, email, phone, redirectURL, meta = {} } = request;
  const cart = {
    id,
    storeId: apiKey.storeId,
    mode: apiKey.mode,
    customerInfo: { firstName, lastName, email, phone, lang: lang ?? apiKey.lang },
    productId: product.id,
    productName: product.name,
    price: quoted.price,
    redirectUrl: redirectURL,
    meta,
    requestFingerprint: requestFingerprint(request),
    nowMs,
  };
  return { outcome: 'drafted', cart: newCart(cart, lifetime) };
};

/** What a cart that already has the id means for an order with an idempotency key. */
const replay = (earlier: Cart, { request }: CartOrder): CartCreation =>
  earlier.requestFingerprint === requestFingerprint(request)
    ? { outcome: 'replayed', cart: earlier }
    : { outcome: 'rejected', reason: 'idempotencyKeyReused' };

/**
 * Makes a cart for one product, once per idempotency key.
 *
 * @throws when DynamoDB is slow, throttling or down
 */
export const createCart = async (
  order: CartOrder,
  carts: CartStore,
  lifetime: CartLifetime,
): Promise<CartCreation> => {
  const { idempotencyKey, secret, signal } = order;
  const isIdempotent = idempotencyKey !== undefined;
  const id = isIdempotent ? idempotentCartId(secret, idempotencyKey) : randomUUID();
  const draft = draftCart(order, id, lifetime);
  if (draft.outcome === 'rejected') {
    // The product may have changed since the cart was made: a retry still gets its cart.
    const earlier = isIdempotent ? await carts.find(id, signal) : undefined;
    return earlier ? replay(earlier, order) : draft;
  }
  const { outcome, cart } = await carts.create(draft.cart, signal);
  // A random id is taken only by this very request, when the SDK repeated a write whose answer was lost.
  return outcome === 'created' || !isIdempotent ? { outcome: 'created', cart } : replay(cart, order);
};
