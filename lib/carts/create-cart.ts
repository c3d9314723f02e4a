import type { ApiKey } from '../api-keys/api-key.ts';
import type { InvalidField } from '../http/errors.ts';
import { isSoldBy, type Product, quote } from '../products/product.ts';
import { idempotentCartId, randomCartId } from './cart-id.ts';
import type { CartStore } from './cart-store.ts';
import { type Cart, type CartLifetime, type CustomerInfo, newCart } from './cart.ts';
import { type CreateCartRequest, requestFingerprint } from './create-cart-request.ts';

/** Who asks for a cart, and for what. */
export interface CartOrder {
  readonly apiKey: ApiKey;
  readonly apiKeyText: string;
  readonly idempotencyKey: string | undefined;
  readonly request: CreateCartRequest;
  /** The product that the request names, of whatever store, if there is one. */
  readonly product: Product | undefined;
  /** The buyer's locale, if the request tells. */
  readonly lang: string | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** `created`: a new cart; `replayed`: the cart that an earlier request with this idempotency key made; or a refusal. */
export type CartCreation = { readonly outcome: 'created' | 'replayed'; readonly cart: Cart } | CartRefusal;

export interface CartRefusal {
  readonly outcome: 'refused';
  readonly reason: 'invalidProduct' | 'invalidPayload' | 'idempotencyKeyReused';
  readonly details?: readonly InvalidField[];
}

const customerInfoOf = ({ request, lang, apiKey }: CartOrder): CustomerInfo => ({
  firstName: request.firstName,
  lastName: request.lastName,
  email: request.email,
  phone: request.phone,
  lang: lang ?? apiKey.lang,
});

/** The cart that an order would make, or why it can make none. */
const draftCart = (order: CartOrder, id: string, lifetime: CartLifetime): Cart | CartRefusal => {
  const { product, request, apiKey, nowMs } = order;
  if (!isSoldBy(product, apiKey.storeId)) return { outcome: 'refused', reason: 'invalidProduct' };
  const quoted = quote(product, request.customerPrice);
  if (!quoted.ok) {
    const details = [{ path: 'customerPrice', message: quoted.message }];
    return { outcome: 'refused', reason: 'invalidPayload', details };
  }
  const cart = {
    id,
    storeId: apiKey.storeId,
    mode: apiKey.mode,
    customerInfo: customerInfoOf(order),
    productId: product.id,
    price: quoted.price,
    redirectUrl: request.redirectURL,
    meta: request.meta ?? {},
    requestFingerprint: requestFingerprint(request),
    nowMs,
  };
  return newCart(cart, lifetime);
};

/** What a cart that already has the id means for an order with an idempotency key. */
const replay = (earlier: Cart, { request }: CartOrder): CartCreation =>
  earlier.requestFingerprint === requestFingerprint(request)
    ? { outcome: 'replayed', cart: earlier }
    : { outcome: 'refused', reason: 'idempotencyKeyReused' };

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
  const { idempotencyKey, apiKeyText, signal } = order;
  const isIdempotent = idempotencyKey !== undefined;
  const id = isIdempotent ? idempotentCartId(apiKeyText, idempotencyKey) : randomCartId();
  const draft = draftCart(order, id, lifetime);
  if ('outcome' in draft) {
    // The product may have changed since the cart was made: a retry still gets its cart.
    const earlier = isIdempotent ? await carts.find(id, signal) : undefined;
    return earlier ? replay(earlier, order) : draft;
  }
  const { outcome, cart } = await carts.create(draft, signal);
  // A random id is taken only by this very request, when the SDK repeated a write whose answer was lost.
  return outcome === 'created' || !isIdempotent ? { outcome: 'created', cart } : replay(cart, order);
};
