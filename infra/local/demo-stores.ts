import type { ApiKeyStore } from '../../lib/api-keys/api-key-store.ts';
import type { Product } from '../../lib/products/product.ts';
import type { ProductStore } from '../../lib/products/product-store.ts';

/** A store of the local stage. Its key works in test mode only, and is not a secret. */
export interface DemoStore {
  readonly id: string;
  readonly apiKey: string;
  readonly products: readonly Product[];
}

/** Enough for a whole test suite within a minute. */
const DEMO_LIMITS = { limit: 1_000, windowSeconds: 60 };

/** The demo stores: two, to show that stores are isolated from each other. */
export const DEMO_STORES: readonly DemoStore[] = [
  {
    id: 'demo-store-one',
    apiKey: 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpw',
    products: [
      product('demo-store-one', 'one-course', 'Course', true, 'EUR', { type: 'fixed', amount: 49.9 }),
      product('demo-store-one', 'one-donation', 'Donation', true, 'EUR', {
        type: 'free',
        minimum: 1,
        suggested: 5,
      }),
      product('demo-store-one', 'one-retired', 'Retired course', false, 'EUR', {
        type: 'fixed',
        amount: 9.9,
      }),
    ],
  },
  {
    id: 'demo-store-two',
    apiKey: 'cck_test_DemoStoreTwoDemoStoreTwoDemoStor0Rq1v8',
    products: [
      product('demo-store-two', 'two-poster', 'Poster', true, 'JPY', { type: 'fixed', amount: 1_500 }),
      product('demo-store-two', 'two-concert', 'Concert, pay what you want', true, 'JPY', { type: 'free' }),
      product('demo-store-two', 'two-sold-out', 'Sold-out poster', false, 'JPY', {
        type: 'fixed',
        amount: 900,
      }),
    ],
  },
];

function product(
  storeId: string,
  id: string,
  name: string,
  available: boolean,
  currency: string,
  pricing: Product['pricing'],
): Product {
  return { id, storeId, name, available, currency, pricing };
}

/** Stores the missing keys and products of the demo stores. */
export const seedDemoStores = async (
  apiKeys: ApiKeyStore,
  products: ProductStore,
  nowMs: number,
): Promise<void> => {
  const keys = DEMO_STORES.map(({ id: storeId, apiKey }) =>
    apiKeys.issue({ secret: apiKey, storeId, mode: 'test', label: 'demo', ...DEMO_LIMITS, nowMs }),
  );
  const missingProducts = DEMO_STORES.flatMap((store) => store.products).map(async (demoProduct) => {
    if (!(await products.find(demoProduct.id))) await products.put(demoProduct);
  });
  await Promise.all([...keys, ...missingProducts]);
};
