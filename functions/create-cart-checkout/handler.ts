import { type Authenticator, createStoredAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { createCartRepositories } from '../../lib/carts/cart-repository.ts';
import {
  checkoutAddress,
  type CheckoutUrls,
  type CheckoutView,
  viewCreatedCart,
} from '../../lib/carts/cart-view.ts';
import {
  type CartOrder,
  type CartRejection,
  type CreateCartDependencies,
  createCart,
} from '../../lib/carts/creation/create-cart.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { memo } from '../../lib/core/memo.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import { apiOperation } from '../../lib/http/api-operation.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import {
  IDEMPOTENCY_SECRET_IDS,
  readOrCreateIdempotencySecret,
} from '../../lib/idempotency/idempotency-secret.ts';
import { testModeProductIssues } from '../../lib/products/product-issue.ts';
import { createProductRepository, type ProductRepository } from '../../lib/products/product-repository.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { settingNamesOf } from '../function-needs.ts';
import { logNameOf } from '../operations.ts';
import { bodyFields, findTestModeIssues, parse, validateOnce } from './input.ts';

interface Dependencies extends CreateCartDependencies {
  readonly authenticator: Authenticator;
  readonly products: ProductRepository;
  readonly checkoutUrls: CheckoutUrls;
  readonly now: Clock;
}

/** The error for an order that creates no cart. The log names an invalid product, but no API key that was sent in its place. */
const rejectionOf = async (
  { reason, details }: CartRejection,
  order: CartOrder,
  { products }: Dependencies,
): Promise<ApiError> => {
  if (reason !== 'invalidProduct') return new ApiError(reason, details);
  const { productDocumentId: id } = order.request;
  const { apiKey, product, signal } = order;
  return new ApiError(reason, await testModeProductIssues(apiKey, product, products, signal), {
    productId: id.startsWith('cck_') ? undefined : id,
  });
};

/** POST /api/v1/stores/cart/checkout: creates a cart for one product (`docs/contract.md`, "Endpoints"). */
export const createCartCheckout = (dependencies: Dependencies): ProxyFunction =>
  apiOperation({
    logName: logNameOf('createCartCheckout'),
    bodyFields,
    parse,
    findTestModeIssues,
    authenticator: dependencies.authenticator,
    read: ({ request }, signal) => dependencies.products.find(request.productDocumentId, signal),
    now: dependencies.now,
    handle: async ({ input, resource: product, ...admitted }) => {
      const order = { ...admitted, ...input, product };
      const creation = await createCart(order, dependencies);
      if (creation.outcome === 'rejected') throw await rejectionOf(creation, order, dependencies);

      const { outcome, cart } = creation;
      admitted.count(outcome === 'created' ? 'CartsCreated' : 'CartsReplayed');
      const body: CheckoutView = {
        cart: viewCreatedCart(cart, admitted.nowMs),
        redirectUrl: checkoutAddress(dependencies.checkoutUrls, cart),
      };
      return jsonResponse(201, body, outcome === 'replayed' ? { 'Idempotent-Replayed': 'true' } : {});
    },
  });

const createDependencies = (documents: DocumentClient): Dependencies => {
  const settings = readSettings(settingNamesOf('create-cart-checkout'));
  return {
    authenticator: createStoredAuthenticator(documents, settings.apiKeysTable),
    products: createProductRepository(documents, settings.productsTable),
    carts: createCartRepositories(documents, settings, Date.now),
    idempotencySecret: memo(() =>
      readOrCreateIdempotencySecret(documents, settings.secretsTable, IDEMPOTENCY_SECRET_IDS.carts),
    ),
    lifetime: { expirySeconds: settings.cartExpirySeconds, retentionSeconds: settings.cartRetentionSeconds },
    checkoutUrls: { live: settings.liveCheckoutUrl, test: settings.sandboxCheckoutUrl },
    now: Date.now,
  };
};

export const { handler, ready } = startFunction({
  createHandler: createCartCheckout,
  createDependencies,
  warmUp: ({ authenticator, products, idempotencySecret }, unknownId) => {
    validateOnce(unknownId);
    return [authenticator.authenticate(unknownId, Date.now), products.find(unknownId), idempotencySecret()];
  },
});
