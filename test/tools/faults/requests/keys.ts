import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { createApiKeyRepository } from '../../../../lib/operators/api-key-repository.ts';
import type { BucketLimits } from '../../../../lib/token-bucket/token-bucket.ts';
import type { KeyFacts } from './history.ts';

export interface LoadKey extends KeyFacts {
  readonly name: string;
  readonly keyText: string;
  /** An available fixed-price product of its store. */
  readonly productId: string;
  /** Its part of the requests. The shares add up to 1. */
  readonly share: number;
}

/** Two wide keys let most requests reach the database. Each of the others is exhausted in its own way. */
const KEYS: readonly (BucketLimits & { name: string; store: number; share: number })[] = [
  { name: 'wide', store: 0, share: 0.52, limit: 60_000, windowSeconds: 60 },
  { name: 'other-store', store: 1, share: 0.24, limit: 60_000, windowSeconds: 60 },
  { name: 'default', store: 0, share: 0.1, limit: 600, windowSeconds: 60 },
  { name: 'narrow', store: 0, share: 0.04, limit: 60, windowSeconds: 60 },
  { name: 'quick', store: 1, share: 0.05, limit: 5, windowSeconds: 1 },
  { name: 'slow', store: 0, share: 0.05, limit: 500, windowSeconds: 3_600 },
];

export const UNKNOWN_KEY = { name: 'unknown', keyText: generateApiKey('test') };

/** Issues the keys of the load directly in the database. */
export const issueKeys = async (documents: DocumentClient): Promise<LoadKey[]> => {
  const apiKeys = createApiKeyRepository(documents, LOCAL_TABLE_NAMES.apiKeys);
  const keys = KEYS.map(({ store, ...key }): LoadKey => {
    const { id: storeId, products } = DEMO_STORES[store]!;
    const product = products.find(({ available, pricing }) => available && pricing.type === 'fixed')!;
    return { ...key, storeId, mode: 'test', keyText: generateApiKey('test'), productId: product.id };
  });
  for (const { keyText, storeId, mode, limit, windowSeconds } of keys) {
    await apiKeys.issue({ keyText, storeId, mode, limit, windowSeconds, nowMs: Date.now() });
  }
  return keys;
};
