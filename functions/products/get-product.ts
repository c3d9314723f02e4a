import type { Authenticator } from '../../lib/api-keys/authenticator.ts';
import type { Clock } from '../../lib/core/clock.ts';
import { apiOperation } from '../../lib/http/api-operation.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { conditionalResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { ProductRepository } from '../../lib/products/product-repository.ts';
import { viewProduct } from '../../lib/products/product-view.ts';
import { parseProductId } from '../../lib/products/product.ts';
import { IF_NONE_MATCH } from '../../lib/requests/conditional-request.ts';
import { unknownNames } from '../../lib/requests/unknown-names.ts';
import { logNameOf } from '../operations.ts';

const MALFORMED_ID = [
  {
    path: 'path.productDocumentId',
    message: 'The id of a product has 1 to 128 letters, digits, underscores and hyphens',
  },
];

export interface GetProductDependencies {
  readonly authenticator: Authenticator;
  readonly products: Pick<ProductRepository, 'find'>;
  readonly now: Clock;
}

/** GET /api/v1/stores/products/{productDocumentId}: a product of the key's store (`docs/contract.md`, "Endpoints"). */
export const getProduct = ({ authenticator, products, now }: GetProductDependencies): ProxyFunction =>
  apiOperation({
    logName: logNameOf('getProduct'),
    // A malformed id counts as an unknown product: 404, not 422.
    parse: ({ path, headers }) => ({
      ok: true,
      input: { productId: parseProductId(path['productDocumentId']), ifNoneMatch: headers[IF_NONE_MATCH] },
    }),
    findTestModeIssues: unknownNames({ headers: [IF_NONE_MATCH] }),
    authenticator,
    read: async ({ productId }, signal) =>
      productId === undefined ? undefined : products.find(productId, signal),
    now,
    handle: async ({ apiKey, input, resource: product }) => {
      if (product?.storeId !== apiKey.storeId) {
        throw new ApiError('productNotFound', input.productId === undefined ? MALFORMED_ID : undefined);
      }
      return conditionalResponse(viewProduct(product), input.ifNoneMatch);
    },
  });
