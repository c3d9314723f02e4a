import type { ApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import type { BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import type { ProductCatalogue } from '../../../lib/products/product-catalogue.ts';
import type { Product } from '../../../lib/products/product.ts';

/** The suite's own stores, so that it changes no merchant's products. */
const STORE = 'acceptance-one';
const OTHER_STORE = 'acceptance-two';

const product = (id: string, changes: Partial<Product> = {}): Product => ({
  id,
  storeId: STORE,
  name: 'Acceptance',
  available: true,
  currency: 'EUR',
  pricing: { type: 'fixed', amount: 49.9 },
  ...changes,
});

/** The suite's products, by its environment variables. */
const PRODUCTS: Readonly<Record<string, Product>> = {
  PRODUCT_ID: product('acceptance-course'),
  FREE_PRODUCT_ID: product('acceptance-donation', { pricing: { type: 'free', suggested: 5 } }),
  UNAVAILABLE_PRODUCT_ID: product('acceptance-retired', { available: false }),
  FOREIGN_PRODUCT_ID: product('acceptance-poster', { storeId: OTHER_STORE }),
};

const KEYS: Readonly<Record<string, BucketLimits & { readonly storeId: string }>> = {
  // The largest limits of a key on the stage of a branch.
  API_KEY: { storeId: STORE, limit: 100, windowSeconds: 5 },
  OTHER_API_KEY: { storeId: OTHER_STORE, limit: 60, windowSeconds: 60 },
  SMALL_LIMIT_API_KEY: { storeId: STORE, limit: 3, windowSeconds: 3_600 },
};

/** If a run dies before it revokes its keys, they expire. */
const KEY_LIFETIME_MS = 3_600_000;

/** Stores the suite's products. Returns their ids by the suite's variables. */
export const putSuiteProducts = async (
  catalogue: Pick<ProductCatalogue, 'put'>,
): Promise<Record<string, string>> => {
  for (const each of Object.values(PRODUCTS)) await catalogue.put(each);
  return Object.fromEntries(Object.entries(PRODUCTS).map(([variable, { id }]) => [variable, id]));
};

/** Issues the suite's test keys. Returns their secrets by the suite's variables, and their ids. */
export const issueSuiteKeys = async (
  apiKeys: Pick<ApiKeyStore, 'issue'>,
  nowMs: number,
): Promise<{ inputs: Record<string, string>; ids: readonly string[] }> => {
  const inputs: Record<string, string> = {};
  const ids: string[] = [];
  const expiresAtMs = nowMs + KEY_LIFETIME_MS;
  for (const [variable, key] of Object.entries(KEYS)) {
    const secret = generateApiKey('test');
    const newKey = { secret, mode: 'test', label: 'acceptance', ...key, expiresAtMs, nowMs } as const;
    const { keyId } = await apiKeys.issue(newKey);
    inputs[variable] = secret;
    ids.push(keyId);
  }
  return { inputs, ids };
};
