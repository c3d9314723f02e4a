import * as z from 'zod/mini';
import { type Authenticator, createAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { createStoredBucket } from '../../lib/api-keys/stored-bucket.ts';
import type { Clock } from '../../lib/core/clock.ts';
import type { Documents } from '../../lib/core/documents.ts';
import { unknownNames } from '../../lib/core/unknown-names.ts';
import { FEED_LIMIT_MAX, limitSchema, once, PAGE_WORDS } from '../../lib/events/feed-request.ts';
import { conditionalResponse } from '../../lib/http/json-response.ts';
import { namesIn, parseWith } from '../../lib/http/parse-input.ts';
import { type ProxyFunction, apiOperation } from '../../lib/http/pipeline.ts';
import { startFunction } from '../../lib/http/start-function.ts';
import { productCursorSchema } from '../../lib/products/product-list-request.ts';
import { viewProduct } from '../../lib/products/product-view.ts';
import {
  createStoreProducts,
  type ProductPage,
  type StoreProducts,
} from '../../lib/products/store-products.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import { OPERATIONS, settingNamesOf } from '../operations.ts';

interface Dependencies {
  readonly authenticator: Authenticator;
  readonly storeProducts: StoreProducts;
  readonly now: Clock;
}

const requestSchema = z.object({
  query: z.pipe(
    z.object({ after: once(productCursorSchema), limit: once(limitSchema) }),
    z.transform(({ after, limit }) => ({
      after,
      limit: limit === undefined ? FEED_LIMIT_MAX : Number(limit),
    })),
  ),
  ifNoneMatch: z.optional(z.string()),
});

const viewPage = ({ products, hasMore }: ProductPage) => ({
  products: products.map(viewProduct),
  cursor: hasMore ? products.at(-1)?.id : undefined,
  hasMore,
});

/** GET /api/v1/stores/products: the products of the key's store (`docs/contract.md`, "Endpoints"). */
export const listProducts = ({ authenticator, storeProducts, now }: Dependencies): ProxyFunction =>
  apiOperation({
    operation: OPERATIONS.listProducts.countedAs,
    logsRoute: true,
    body: 'none',
    parse: ({ multiValueQueryStringParameters: query, headers }) =>
      parseWith(requestSchema, { query: query ?? {}, ifNoneMatch: headers['if-none-match'] }),
    unknownNames: unknownNames(
      { ...namesIn(requestSchema), headers: ['if-none-match'] },
      { query: { others: PAGE_WORDS } },
    ),
    authenticator,
    now,
    // The read needs the store of the key, so it waits for the authentication.
    handle: async ({ apiKey, input: { query, ifNoneMatch }, signal }) =>
      conditionalResponse(viewPage(await storeProducts.list(apiKey.storeId, query, signal)), ifNoneMatch),
  });

const dependencies = (documents: Documents): Dependencies => {
  const env = readSettings(settingNamesOf('products'));
  return {
    authenticator: createAuthenticator(createStoredBucket(documents, env.apiKeysTable)),
    storeProducts: createStoreProducts(documents, env.productsTable),
    now: Date.now,
  };
};

export const { handler, ready } = startFunction({
  operation: listProducts,
  dependencies,
  warmUp: ({ authenticator }, unknownId) => [authenticator.authenticate(unknownId, Date.now)],
});
