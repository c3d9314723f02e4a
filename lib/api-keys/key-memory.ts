import { type Bucket, hasToken } from './token-bucket.ts';

/** What this environment saw of a key when it last asked the database. */
export interface RememberedKey {
  /** The bucket at that time, or `undefined` if the key was unknown, revoked or expired. */
  readonly bucket: Bucket | undefined;
  readonly seenAtMs: number;
}

/** How long an empty bucket is believed: a revocation or a raised limit must show within a second. */
const DENIAL_MEMORY_MS = 1_000;

/** How long an unusable key is believed: it keeps a client in a loop from costing a write per request. */
const UNUSABLE_MEMORY_MS = 5_000;

/** About 2 MB; beyond it the key that was seen least recently is forgotten. */
const KEYS_MAX = 10_000;

/**
 * What one environment remembers of the keys it saw, by key id. It saves round trips and refuses nothing that the
 * database would admit: an empty bucket stays empty until its own time comes, unless an operator changes the key, which
 * shows within {@link DENIAL_MEMORY_MS}.
 */
export class KeyMemory {
  readonly #keys = new Map<string, RememberedKey>();

  /** The last sight of a key, however old: a hint, not a verdict. */
  get(keyId: string): RememberedKey | undefined {
    return this.#keys.get(keyId);
  }

  /** Remembers what the database just told. */
  set(keyId: string, key: RememberedKey): void {
    // Deleting first moves the key to the end of the map's insertion order.
    this.#keys.delete(keyId);
    this.#keys.set(keyId, key);
    if (this.#keys.size > KEYS_MAX) {
      const oldest = this.#keys.keys().next();
      if (!oldest.done) this.#keys.delete(oldest.value);
    }
  }

  /** Whether a key was so recently seen unusable that asking again is idle. */
  isUnusable(keyId: string, nowMs: number): boolean {
    const key = this.#keys.get(keyId);
    return key !== undefined && key.bucket === undefined && isWithin(UNUSABLE_MEMORY_MS, key.seenAtMs, nowMs);
  }

  /** The bucket of a key that certainly has no token now, if it was seen within the last second. */
  emptyBucket(keyId: string, nowMs: number): Bucket | undefined {
    const key = this.#keys.get(keyId);
    if (!key?.bucket || !isWithin(DENIAL_MEMORY_MS, key.seenAtMs, nowMs)) return undefined;
    return hasToken(key.bucket, nowMs * 1_000) ? undefined : key.bucket;
  }
}

// A clock that was set back must not stretch a memory, hence the absolute value.
const isWithin = (spanMs: number, thenMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - thenMs) < spanMs;
