import type { Product } from '../products/product.ts';

/** The store of the canary's key and product. No merchant may have it: its requests count in no metric. */
export const CANARY_STORE_ID = 'canary';

/** The product of the canary's carts. */
export const CANARY_PRODUCT = {
  id: 'canary-product',
  storeId: CANARY_STORE_ID,
  name: 'Canary',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 19.9 },
} as const satisfies Product;

/** The body of the canary's requests to create a cart, with the fields of an ordinary request. */
export const CANARY_REQUEST = {
  productDocumentId: CANARY_PRODUCT.id,
  email: 'canary@example.com',
  firstName: 'Synthetic',
  lastName: 'Canary',
  phone: '+43 1 0000000',
  redirectURL: 'https://canary.example.com/thanks',
  meta: { orderId: 'canary' },
} as const;
