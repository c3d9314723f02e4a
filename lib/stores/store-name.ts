import type { Clock } from '../core/clock.ts';
import { memo } from '../core/memo.ts';
import type { StoreRepository } from './store-repository.ts';

/** The name of a store, or its id if it has no record. Throws when DynamoDB is slow, throttles or is down. */
export const findStoreName = async (
  stores: Pick<StoreRepository, 'find'>,
  storeId: string,
  signal?: AbortSignal,
): Promise<string> => (await stores.find(storeId, signal))?.name ?? storeId;

/** A new name appears after at most a minute. */
const NAMES_KEPT_MS = 60_000;

/** Finds names as {@link findStoreName}, and remembers them for at most a minute. */
export const rememberStoreNames = (
  stores: Pick<StoreRepository, 'find'>,
  now: Clock,
): ((storeId: string) => Promise<string>) =>
  memo((storeId: string) => findStoreName(stores, storeId), { forget: { everyMs: NAMES_KEPT_MS, now } });
