import type { CartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createCart } from '../../../lib/carts/creation/create-cart.ts';
import type { CreateCartRequest } from '../../../lib/carts/request/create-cart-request.ts';
import type { Product } from '../../../lib/products/product.ts';
import { CREATED_AT_MS, LIFETIME } from './payments.ts';
import { fixedProduct } from './products.ts';

const CARTS: Pick<CartRepository, 'create' | 'find'> = {
  create: (cart) => Promise.resolve({ outcome: 'created', cart }),
  find: () => Promise.resolve(undefined),
};

/** The live cart that a valid request creates, without a database. */
export const createdCart = async (
  request: CreateCartRequest,
  product: Partial<Product> = {},
  lang = 'en-GB',
): Promise<Cart> => {
  const creation = await createCart(
    {
      apiKey: { keyId: 'key-1', storeId: 'store-1', mode: 'live', limit: 60, windowSeconds: 60 },
      request,
      product: fixedProduct({ id: request.productDocumentId, ...product }),
      lang,
      nowMs: CREATED_AT_MS,
      signal: new AbortController().signal,
    },
    {
      carts: { live: CARTS, test: CARTS },
      idempotencySecret: () => Promise.resolve(new Uint8Array(32)),
      lifetime: LIFETIME,
    },
  );
  if (creation.outcome === 'rejected') throw new Error(JSON.stringify(creation));
  return creation.cart;
};
