import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../../api-keys/api-key.ts';
import { unlessAborted } from '../../core/unless-aborted.ts';
import { fingerprintOf } from '../../idempotency/fingerprint.ts';
import { isSoldBy, type Product } from '../../products/product.ts';
import { quote } from '../../products/quote.ts';
import type { InvalidField } from '../../requests/invalid-field.ts';
import type { Mode } from '../../stores/mode.ts';
import type { CartRepository } from '../cart-repository.ts';
import {
  type Cart,
  type CartLifetime,
  type CustomerInfo,
  isErased,
  keptFieldsOf,
  type NewCart,
  newCart,
} from '../cart.ts';
import type { CreateCartRequest } from '../request/create-cart-request.ts';
import { priceIssues, type StatedPrice } from '../request/stated-prices.ts';
import { differingFields } from './differing-fields.ts';
import { idempotentCartId } from './idempotent-cart-id.ts';

/**
 * The fingerprint of all fields of a create request. A later field needs no change here. Its schema must have no default, which
 * would change the fingerprint of requests without the field.
 */
export const requestFingerprint = ({ meta = {}, ...request }: CreateCartRequest): string =>
  fingerprintOf({ ...request, meta });

/** An admitted request for a cart, with its product. */
export interface CartOrder {
  readonly apiKey: ApiKey;
  readonly idempotencyKey?: string | undefined;
  readonly request: CreateCartRequest;
  /** Each must be the cart's price. Empty by default */
  readonly statedPrices?: readonly StatedPrice[];
  /** It may belong to another store. */
  readonly product: Product | undefined;
  /** The buyer's locale by the request's header, if it has one. The `lang` of the body comes first. */
  readonly lang?: string | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** The dependencies of {@link createCart}. */
export interface CreateCartDependencies {
  readonly carts: Readonly<Record<Mode, Pick<CartRepository, 'create' | 'find'>>>;
  readonly idempotencySecret: () => Promise<Uint8Array>;
  readonly lifetime: CartLifetime;
}

/** `replayed`: an earlier request with the same idempotency key created the cart. */
type CartCreation = { readonly outcome: 'created' | 'replayed'; readonly cart: Cart } | CartRejection;

/** An order that creates no cart. `reason` names an error of the API. */
export interface CartRejection {
  readonly outcome: 'rejected';
  readonly reason: 'invalidProduct' | 'invalidPayload' | 'idempotencyKeyReused';
  readonly details?: readonly InvalidField[];
}

const invalid = (details: readonly InvalidField[]): CartRejection => ({
  outcome: 'rejected',
  reason: 'invalidPayload',
  details,
});

/** The issues of a cart's life that is longer than the stage's. */
const lifeIssues = (
  { expiresInMinutes = 0 }: CreateCartRequest,
  { expirySeconds }: CartLifetime,
): readonly InvalidField[] =>
  expiresInMinutes * 60 <= expirySeconds
    ? []
    : [{ path: 'expiresInMinutes', message: `Must be at most ${Math.floor(expirySeconds / 60)}` }];

/** The buyer of an order. */
const customerOf = ({ request, lang, apiKey }: CartOrder): CustomerInfo => {
  const { firstName, lastName, email, phone } = request;
  return { firstName, lastName, email, phone, lang: request.lang ?? lang ?? apiKey.lang };
};

/** Makes an order's cart without storing it. */
const draftCart = (order: CartOrder, id: string, lifetime: CartLifetime): Cart | CartRejection => {
  const { product, request, statedPrices = [], apiKey, nowMs } = order;
  if (!isSoldBy(product, apiKey.storeId)) return { outcome: 'rejected', reason: 'invalidProduct' };
  const quoted = quote(product, request.customerPrice);
  if (!quoted.ok) return invalid([{ path: 'customerPrice', message: quoted.message }]);
  const issues = [
    ...priceIssues(statedPrices, quoted.price, product.pricing.type),
    ...lifeIssues(request, lifetime),
  ];
  if (issues.length > 0) return invalid(issues);
  const { expiresInMinutes, redirectURL: returnUrl, cancelURL: cancelUrl } = request;
  const cart: NewCart = {
    ...keptFieldsOf(request),
    id,
    storeId: apiKey.storeId,
    mode: apiKey.mode,
    customerInfo: customerOf(order),
    productId: product.id,
    productName: product.name,
    price: quoted.price,
    returnUrl,
    cancelUrl,
    requestFingerprint: requestFingerprint(request),
    nowMs,
  };
  const expirySeconds = expiresInMinutes === undefined ? lifetime.expirySeconds : expiresInMinutes * 60;
  return newCart(cart, { ...lifetime, expirySeconds });
};

/**
 * Whether a request is a retry of the one that created a cart. An erased cart has no fingerprint, so its product and price
 * decide. Otherwise, a retry could create a second cart.
 */
const isRetry = (earlier: Cart, request: CreateCartRequest): boolean =>
  isErased(earlier)
    ? request.productDocumentId === earlier.productId &&
      (request.customerPrice ?? earlier.price.amount) === earlier.price.amount
    : requestFingerprint(request) === earlier.requestFingerprint;

/** The result for a taken cart id: the request is a retry, or another one with the same idempotency key. */
const replay = (earlier: Cart, { request }: CartOrder): CartCreation =>
  isRetry(earlier, request)
    ? { outcome: 'replayed', cart: earlier }
    : { outcome: 'rejected', reason: 'idempotencyKeyReused', details: differingFields(earlier, request) };

/**
 * Creates a cart for one product, once per idempotency key.
 *
 * @throws when DynamoDB is slow, throttles or is down
 */
export const createCart = async (
  order: CartOrder,
  { carts: repositories, idempotencySecret, lifetime }: CreateCartDependencies,
): Promise<CartCreation> => {
  const { apiKey, idempotencyKey, signal } = order;
  const carts = repositories[apiKey.mode];
  const isIdempotent = idempotencyKey !== undefined;
  const id = isIdempotent
    ? idempotentCartId(await unlessAborted(idempotencySecret(), signal), apiKey, idempotencyKey)
    : randomUUID();
  const draft = draftCart(order, id, lifetime);
  if ('outcome' in draft) {
    // The product may have changed since. A retry must still get its cart.
    const earlier = isIdempotent ? await carts.find(id, signal) : undefined;
    return earlier ? replay(earlier, order) : draft;
  }
  const { outcome, cart } = await carts.create(draft, signal);
  // Only this request knows its random id. The id is taken only if the client retried a write whose response was lost.
  return outcome === 'created' || !isIdempotent ? { outcome: 'created', cart } : replay(cart, order);
};
