import { createStoredAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { createCartRepositories } from '../../lib/carts/cart-repository.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { createStoreRepository } from '../../lib/stores/store-repository.ts';
import { byRoute } from '../by-route.ts';
import { settingNamesOf } from '../function-needs.ts';
import { getCart, type GetCartDependencies } from './get-cart.ts';
import { getPaymentCart, type GetPaymentCartDependencies } from './get-payment-cart.ts';

type Dependencies = GetCartDependencies & GetPaymentCartDependencies;

/** The reads of one cart: by its merchant, and by the platform's payment side. */
export const getCartFunction = (dependencies: Dependencies): ProxyFunction =>
  byRoute<'get-cart'>({
    getCart: getCart(dependencies),
    getPaymentCart: getPaymentCart(dependencies),
  });

const createDependencies = (documents: DocumentClient): Dependencies => {
  const settings = readSettings(settingNamesOf('get-cart'));
  return {
    authenticator: createStoredAuthenticator(documents, settings.apiKeysTable),
    carts: createCartRepositories(documents, settings, Date.now),
    stores: createStoreRepository(documents, settings.storesTable),
    checkoutUrls: { live: settings.liveCheckoutUrl, test: settings.sandboxCheckoutUrl },
    now: Date.now,
  };
};

export const { handler, ready } = startFunction({
  createHandler: getCartFunction,
  createDependencies,
  warmUp: ({ authenticator, carts }, unknownId) => [
    authenticator.authenticate(unknownId, Date.now),
    carts.test.find(unknownId),
  ],
});
