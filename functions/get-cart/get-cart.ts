import type { Authenticator } from '../../lib/api-keys/authenticator.ts';
import { parseCartId } from '../../lib/carts/cart-id.ts';
import type { CartRepositories } from '../../lib/carts/cart-repository.ts';
import { type CheckoutUrls, viewRetrievedCart } from '../../lib/carts/cart-view.ts';
import { isVisibleTo } from '../../lib/carts/cart.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { apiOperation } from '../../lib/http/api-operation.ts';
import { cartNotFoundForKey } from '../../lib/http/errors.ts';
import { conditionalResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { IF_NONE_MATCH } from '../../lib/requests/conditional-request.ts';
import { unknownNames } from '../../lib/requests/unknown-names.ts';
import { logNameOf } from '../operations.ts';

export interface GetCartDependencies {
  readonly authenticator: Authenticator;
  readonly carts: CartRepositories;
  readonly checkoutUrls: CheckoutUrls;
  readonly now: Clock;
}

/** GET /api/v1/stores/cart/{cartId}: retrieves a cart to check its status (`docs/contract.md`, "Endpoints"). */
export const getCart = ({ authenticator, carts, checkoutUrls, now }: GetCartDependencies): ProxyFunction =>
  apiOperation({
    logName: logNameOf('getCart'),
    // A malformed id counts as an unknown cart: 404, not 422.
    parse: ({ path, headers }) => ({
      ok: true,
      input: { cartId: parseCartId(path['cartId']), ifNoneMatch: headers[IF_NONE_MATCH] },
    }),
    findTestModeIssues: unknownNames({ headers: [IF_NONE_MATCH] }),
    authenticator,
    read: async ({ cartId }, signal, mode) =>
      cartId === undefined ? undefined : carts[mode].find(cartId, signal),
    now,
    handle: async ({ apiKey, input, resource: cart, nowMs }) => {
      if (!cart || !isVisibleTo(cart, apiKey)) throw cartNotFoundForKey();
      // The hash covers the status at this time: a cart that expires has another tag without a write.
      return conditionalResponse(viewRetrievedCart(cart, nowMs, checkoutUrls), input.ifNoneMatch);
    },
  });
