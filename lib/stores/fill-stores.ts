import type { ApiKeyStore } from '../api-keys/api-key-store.ts';
import { CANARY_STORE_ID } from '../canary/canary-store.ts';
import type { StoreDirectory } from './store-directory.ts';

interface Deps {
  readonly apiKeys: Pick<ApiKeyStore, 'list'>;
  readonly stores: Pick<StoreDirectory, 'list' | 'putIfMissing'>;
}

/**
 * Stores a record for each store that has a key but no record. Its name is its id, and its time of creation that of its
 * oldest key. Reads the whole tables of keys and stores. It is safe to repeat.
 *
 * @returns the ids of the new records
 */
export const fillStores = async ({ apiKeys, stores }: Deps): Promise<readonly string[]> => {
  const known = new Set((await stores.list()).map(({ id }) => id));
  const createdAtMs = new Map<string, number>();
  for (const { key } of await apiKeys.list()) {
    if (!key || key.storeId === CANARY_STORE_ID || known.has(key.storeId)) continue;
    createdAtMs.set(key.storeId, Math.min(key.createdAtMs, createdAtMs.get(key.storeId) ?? Infinity));
  }
  const added: string[] = [];
  for (const [id, timeMs] of [...createdAtMs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    // oxlint-disable-next-line no-await-in-loop -- a burst would throttle a table that is seldom used
    if (await stores.putIfMissing({ id, name: id, createdAtMs: timeMs })) added.push(id);
  }
  return added;
};
