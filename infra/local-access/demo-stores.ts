import type { Product } from '../../lib/products/product.ts';

/** A store of the local stage. Its key works in test mode only, and is not a secret. */
export interface DemoStore {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
  readonly products: readonly Product[];
}

type DemoProduct = readonly [id: string, name: string, available: boolean, pricing: Product['pricing']];

const demoStore = (
  id: string,
  name: string,
  apiKey: string,
  currency: string,
  rows: readonly DemoProduct[],
): DemoStore => ({
  id,
  name,
  apiKey,
  products: rows.map(([productId, productName, available, pricing]) => ({
    id: productId,
    storeId: id,
    name: productName,
    available,
    currency,
    pricing,
  })),
});

/** The demo stores: two, to show that stores are isolated from each other. */
export const DEMO_STORES: readonly [DemoStore, DemoStore] = [
  demoStore('demo-store-one', 'Demo store one', 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpw', 'EUR', [
    ['one-course', 'Course', true, { type: 'fixed', amount: 49.9 }],
    ['one-donation', 'Donation', true, { type: 'free', minimum: 1, suggested: 5 }],
    ['one-retired', 'Retired course', false, { type: 'fixed', amount: 9.9 }],
  ]),
  demoStore('demo-store-two', 'Demo store two', 'cck_test_DemoStoreTwoDemoStoreTwoDemoStor0Rq1v8', 'JPY', [
    ['two-poster', 'Poster', true, { type: 'fixed', amount: 1_500 }],
    ['two-concert', 'Concert, pay what you want', true, { type: 'free' }],
    ['two-sold-out', 'Sold-out poster', false, { type: 'fixed', amount: 900 }],
  ]),
];

/** The body of the first request that the stage shows: a cart for the first product. */
export const FIRST_CART = {
  productDocumentId: DEMO_STORES[0]?.products[0]?.id,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
};
