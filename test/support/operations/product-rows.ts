import {
  on,
  type HttpFunctionRow,
  type IsolatedRow,
  type MeasuredRow,
  type MerchantRow,
} from './row-types.ts';
import { STORED } from './stored.ts';

/** The operations on products. */
export const PRODUCT_OPERATIONS = {
  listProducts: {
    request: {},
    status: 200,
    calls: ['key', 'read'],
    malformedItems: [['a product without pricing', { id: 'course', storeId: 'store-1', available: true }]],
    // A page begins after the id, so it must not have the owner's product.
    isolation: ({ productId }) => [{}, { query: { after: productId.slice(0, -1) } }],
    // 101 products of nearly 1 KB.
    prepare: async ({ givenKey, givenProduct }) => {
      const storeId = 'store-of-products';
      const name = '🎈'.repeat(200);
      await Promise.all(Array.from({ length: 101 }, () => givenProduct({ storeId, name })));
      return { apiKey: await givenKey({ storeId }) };
    },
  },
  getProduct: {
    request: { pathParameters: { productDocumentId: STORED.product.id } },
    status: 200,
    calls: ['key', 'read'],
    readsWithKey: true,
    malformedItems: [['a product without pricing', { id: 'course', storeId: 'store-1', available: true }]],
    isolation: ({ productId }) =>
      [{}, { headers: { 'If-None-Match': '"other"' } }].map((request) => ({
        ...request,
        pathParameters: { productDocumentId: productId },
      })),
    prepare: async ({ apiKey, givenProduct }) => ({
      apiKey,
      pathParameters: { productDocumentId: await givenProduct({}) },
    }),
  },
} as const satisfies Readonly<Record<string, MerchantRow & IsolatedRow & MeasuredRow>>;

/** The function of these operations. */
export const PRODUCT_FUNCTIONS = {
  products: {
    load: async () => (await import('../../../functions/products/handler.ts')).productsFunction,
    warmUp: { connections: 1, calls: ['UpdateItem api-keys'] },
    denied: [['change a product', on('products', 'UpdateItem', STORED.product.id)]],
  },
} as const satisfies Readonly<Record<string, HttpFunctionRow>>;
