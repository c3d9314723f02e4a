import { type Authenticator, createAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { createStoredBucket } from '../../lib/api-keys/stored-bucket.ts';
import { parseCartId } from '../../lib/carts/cart-id.ts';
import { type CartStores, createCartStores } from '../../lib/carts/cart-stores.ts';
import { type CheckoutUrls, viewRetrievedCart } from '../../lib/carts/cart-view.ts';
import type { Documents } from '../../lib/core/documents.ts';
import { readEnv } from '../../lib/core/env.ts';
import { conditionalResponse } from '../../lib/http/conditional-response.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { type ProxyFunction, apiOperation } from '../../lib/http/pipeline.ts';
import { processClock } from '../../lib/core/process-clock.ts';
import type { TrueClock } from '../../lib/core/true-clock.ts';
import { startFunction } from '../../lib/http/start-function.ts';

interface Dependencies {
  readonly authenticator: Authenticator;
  readonly carts: CartStores;
  readonly checkoutUrls: CheckoutUrls;
  readonly clock: TrueClock;
}

/** GET /api/v1/stores/cart/{cartId}: retrieves a cart to check its status (`docs/contract.md`, "Endpoints"). */
export const getCart = ({ authenticator, carts, checkoutUrls, clock }: Dependencies): ProxyFunction =>
  apiOperation({
    operation: 'getCart',
    body: 'none',
    // A malformed id counts as an unknown cart: 404, not 422.
    parse: ({ pathParameters, headers }) => ({
      ok: true,
      input: { cartId: parseCartId(pathParameters?.['cartId']), ifNoneMatch: headers['if-none-match'] },
    }),
    authenticator,
    read: async ({ cartId }, signal, mode) =>
      cartId === undefined ? undefined : carts[mode].read(cartId, signal),
    clock,
    handle: async ({ apiKey, input, resource: stored, nowMs }) => {
      const cart = stored?.visibleTo(apiKey);
      if (!cart) throw new ApiError('cartNotFound');
      // The hash covers the status at this time: a cart that expires has another tag without a write.
      return conditionalResponse(viewRetrievedCart(cart, nowMs, checkoutUrls), input.ifNoneMatch);
    },
  });

const dependencies = (documents: Documents): Dependencies => {
  const env = readEnv(
    ['apiKeysTable', 'cartsTable', 'testCartsTable', 'liveCheckoutUrl', 'sandboxCheckoutUrl'],
    process.env,
  );
  return {
    authenticator: createAuthenticator(createStoredBucket(documents, env.apiKeysTable)),
    carts: createCartStores(documents, env, processClock.now),
    checkoutUrls: { live: env.liveCheckoutUrl, test: env.sandboxCheckoutUrl },
    clock: processClock,
  };
};

export const { handler, ready } = startFunction({
  operation: getCart,
  dependencies,
  warmUp: ({ carts }) => Promise.all([carts.live.find('warm-up'), carts.test.find('warm-up')]),
});
