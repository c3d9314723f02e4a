import type { Product } from '../../lib/products/product.ts';

/** An available product that costs 19.99 EUR, with changes. */
export const fixedProduct = (changes: Partial<Product> = {}): Product => ({
  id: 'course',
  storeId: 'store-1',
  name: 'Course 🎈',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 19.99 },
  ...changes,
});
