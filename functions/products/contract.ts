import * as z from 'zod/mini';
import { productCursorSchema } from '../../lib/products/product-list-request.ts';
import { productSchema } from '../../lib/products/product-view-schema.ts';
import type { ProductView } from '../../lib/products/product-view.ts';
import { PAGE_LIMIT_MAX } from '../../lib/requests/query-parameters.ts';
import { etag, ifNoneMatch, limitParameter, pathId } from '../contract-parts.ts';
import type { OperationContract } from '../operation-contract.ts';

const COURSE: ProductView = {
  id: 'one-course',
  name: 'Course',
  available: true,
  price: { amount: 49.9, currency: 'EUR' },
};

const DONATION: ProductView = {
  id: 'one-donation',
  name: 'Donation',
  available: true,
  priceRange: { minimum: 1, maximum: 9_999_999_999_999.99, suggested: 5, currency: 'EUR' },
};

const IF_NONE_MATCH_PARAMETER = ifNoneMatch('body');

const ETAG = etag('the body');

const NOT_MODIFIED = 'The body has not changed since the response whose `ETag` the request names';

export const listProducts: OperationContract = {
  tag: 'Products',
  summary: 'Lists the products of a store, by id.',
  description:
    "Lists the products of your key's store, also those that are not available. Live and test mode have the same products. While `hasMore` is `true`, send the `cursor` as `after` in the next request. A change of a product shows within about a second. A product that is stored or deleted meanwhile moves no other product to another page. If several errors apply, the response is the first of 401, 429 and 422.",
  parameters: [
    {
      name: 'after',
      in: 'query',
      description: 'The `cursor` of the last response. Without it, the list starts with the first product.',
      schema: productCursorSchema,
    },
    limitParameter('products'),
    IF_NONE_MATCH_PARAMETER,
  ],
  response: {
    status: 200,
    description: 'The next products',
    schema: z
      .object({
        products: z.array(productSchema).check(z.maxLength(PAGE_LIMIT_MAX)),
        cursor: z.optional(
          z.string().check(z.describe('Send it as `after` to read on. Absent from the last page.')),
        ),
        hasMore: z.boolean().check(z.describe('Further products exist.')),
      })
      .check(z.meta({ id: 'ProductList', description: 'Products of a store' })),
    examples: {
      all: { summary: 'All products', value: { products: [COURSE, DONATION], hasMore: false } },
      page: { summary: 'A page', value: { products: [COURSE], cursor: COURSE.id, hasMore: true } },
    },
    headers: ETAG,
    links: {
      retrieval: {
        operationId: 'getProduct',
        description: 'Retrieves the first one',
        parameters: { productDocumentId: '$response.body#/products/0/id' },
      },
    },
  },
  notModified: NOT_MODIFIED,
  errors: [],
};

export const getProduct: OperationContract = {
  tag: 'Products',
  summary: 'Retrieves a product.',
  description:
    'Retrieves a product of your store, also one that is not available. An unknown product and a product of another store return the same 404. If several errors apply, the response is the first of 401, 429, 422 and 404.',
  parameters: [pathId('productDocumentId', 'Identifier of the product', COURSE.id), IF_NONE_MATCH_PARAMETER],
  response: {
    status: 200,
    description: 'The product',
    schema: productSchema,
    examples: {
      fixed: { summary: 'A fixed price', value: COURSE },
      free: { summary: 'Free pricing', value: DONATION },
    },
    headers: ETAG,
  },
  notModified: NOT_MODIFIED,
  errors: ['productNotFound'],
};
