import { createStoredAuthenticator } from '../../lib/api-keys/authenticator.ts';
import type { DocumentClient } from '../../lib/database/documents.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import { createProductRepository } from '../../lib/products/product-repository.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { byRoute } from '../by-route.ts';
import { settingNamesOf } from '../function-needs.ts';
import { getProduct, type GetProductDependencies } from './get-product.ts';
import { listProducts, type ListProductsDependencies } from './list-products.ts';

type Dependencies = ListProductsDependencies & GetProductDependencies;

/** The reads of a store's products. */
export const productsFunction = (dependencies: Dependencies): ProxyFunction =>
  byRoute<'products'>({
    listProducts: listProducts(dependencies),
    getProduct: getProduct(dependencies),
  });

const createDependencies = (documents: DocumentClient): Dependencies => {
  const settings = readSettings(settingNamesOf('products'));
  return {
    authenticator: createStoredAuthenticator(documents, settings.apiKeysTable),
    products: createProductRepository(documents, settings.productsTable),
    now: Date.now,
  };
};

export const { handler, ready } = startFunction({
  createHandler: productsFunction,
  createDependencies,
  warmUp: ({ authenticator }, unknownId) => [authenticator.authenticate(unknownId, Date.now)],
});
