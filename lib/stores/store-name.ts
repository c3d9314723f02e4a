import type { StoreDirectory } from './store-directory.ts';

/** The name of a store, or its id if it has no record. Throws when DynamoDB is slow, throttles or is down. */
export const findStoreName = async (
  stores: Pick<StoreDirectory, 'find'>,
  storeId: string,
  signal?: AbortSignal,
): Promise<string> => (await stores.find(storeId, signal))?.name ?? storeId;
