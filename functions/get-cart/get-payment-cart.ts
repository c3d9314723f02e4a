import { parseCartId } from '../../lib/carts/cart-id.ts';
import type { CartRepositories } from '../../lib/carts/cart-repository.ts';
import type { Cart } from '../../lib/carts/cart.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import { operation, type ProxyFunction } from '../../lib/http/pipeline.ts';
import { viewPaymentCart } from '../../lib/payments/payment-cart-view.ts';
import { findStoreName } from '../../lib/stores/store-name.ts';
import type { StoreRepository } from '../../lib/stores/store-repository.ts';
import { logNameOf } from '../operations.ts';

export interface GetPaymentCartDependencies {
  readonly carts: CartRepositories;
  readonly stores: Pick<StoreRepository, 'find'>;
  readonly now: Clock;
}

/** Finds a cart of any store and mode. Live carts come first: only tests of the payment side request test carts. */
const findCart = async (
  cartId: string | undefined,
  { live, test }: CartRepositories,
  signal: AbortSignal,
): Promise<Cart | undefined> =>
  cartId === undefined ? undefined : ((await live.find(cartId, signal)) ?? (await test.find(cartId, signal)));

/**
 * GET /internal/v1/carts/{cartId}: the cart to charge, for the platform's payment side (`docs/payments.md`). API Gateway
 * authorises it by IAM.
 */
export const getPaymentCart = ({ carts, stores, now }: GetPaymentCartDependencies): ProxyFunction =>
  operation({
    logName: logNameOf('getPaymentCart'),
    now,
    handle:
      ({ pathParameters }, clock) =>
      async (signal) => {
        const cart = await findCart(parseCartId(pathParameters?.['cartId']), carts, signal);
        if (!cart) throw new ApiError('cartNotFound');
        const storeName = await findStoreName(stores, cart.storeId, signal);
        return jsonResponse(200, viewPaymentCart(cart, storeName, clock()));
      },
  });
