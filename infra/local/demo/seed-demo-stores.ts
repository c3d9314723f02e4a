import { createApiKeyRepository } from '../../../lib/operators/api-key-repository.ts';
import { createOperatorProductRepository } from '../../../lib/operators/operator-product-repository.ts';
import { createOperatorStoreRepository } from '../../../lib/operators/operator-store-repository.ts';
import { DEMO_STORES } from '../../local-access/demo-stores.ts';
import type { StageTables } from '../database/local-tables.ts';

/** Enough for a whole test suite within a minute. */
const DEMO_LIMITS = { limit: 1_000, windowSeconds: 60 };

/** Stores the missing records, keys and products of the demo stores. */
export const seedDemoStores = async ({ documents, tableNames, now }: StageTables): Promise<void> => {
  const apiKeys = createApiKeyRepository(documents, tableNames.apiKeys);
  const products = createOperatorProductRepository(documents, tableNames.products);
  const stores = createOperatorStoreRepository(documents, tableNames.stores);
  const nowMs = now();
  const records = DEMO_STORES.map(({ id, name }) => stores.putIfMissing({ id, name, createdAtMs: nowMs }));
  const keys = DEMO_STORES.map(({ id: storeId, apiKey }) =>
    apiKeys.issue({ keyText: apiKey, storeId, mode: 'test', label: 'demo', ...DEMO_LIMITS, nowMs }),
  );
  const missingProducts = DEMO_STORES.flatMap((store) => store.products).map(async (demoProduct) => {
    if (!(await products.find(demoProduct.id))) await products.put(demoProduct);
  });
  await Promise.all([...records, ...keys, ...missingProducts]);
};
