import type { Product } from '../../../lib/products/product.ts';

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

/** Items in the order of their ids. DynamoDB returns them in no order. */
export const byId = <Item extends { readonly id: string }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
