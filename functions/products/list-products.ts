import type { Authenticator } from '../../lib/api-keys/authenticator.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { apiOperation } from '../../lib/http/api-operation.ts';
import { conditionalResponse } from '../../lib/http/json-response.ts';
import { inputOf } from '../../lib/http/operation-input.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { productListRequestSchema } from '../../lib/products/product-list-request.ts';
import type { ProductPage, ProductRepository } from '../../lib/products/product-repository.ts';
import { viewProduct } from '../../lib/products/product-view.ts';
import { IF_NONE_MATCH } from '../../lib/requests/conditional-request.ts';
import { logNameOf } from '../operations.ts';

export interface ListProductsDependencies {
  readonly authenticator: Authenticator;
  readonly products: Pick<ProductRepository, 'list'>;
  readonly now: Clock;
}

const viewPage = ({ products, hasMore }: ProductPage) => ({
  products: products.map(viewProduct),
  cursor: hasMore ? products.at(-1)?.id : undefined,
  hasMore,
});

/** GET /api/v1/stores/products: the products of the key's store (`docs/contract.md`, "Endpoints"). */
export const listProducts = ({ authenticator, products, now }: ListProductsDependencies): ProxyFunction =>
  apiOperation({
    logName: logNameOf('listProducts'),
    ...inputOf(productListRequestSchema),
    authenticator,
    now,
    // The read needs the store of the key, so it waits for the authentication.
    handle: async ({ apiKey, input: { query, headers }, signal }) => {
      const page = await products.list(apiKey.storeId, query, signal);
      return conditionalResponse(viewPage(page), headers[IF_NONE_MATCH]);
    },
  });
