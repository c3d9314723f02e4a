import { type Bucket, hasToken } from './token-bucket.ts';

/** What this environment saw of a key in its last database call. */
export interface RememberedKey {
  /** The bucket at that time, or `undefined` if the key was unknown, revoked or expired. */
  readonly bucket: Bucket | undefined;
  readonly seenAtMs: number;
}

/** How long an empty bucket is trusted. A revocation or a raised limit must show within a second. */
const DENIAL_MEMORY_MS = 1_000;

/** How long an unusable key is trusted. A client in a loop then does not cost a write per request. */
const UNUSABLE_MEMORY_MS = 5_000;

/** About 2 MB. Beyond it, the memory forgets the key that was seen least recently. */
const KEYS_MAX = 10_000;

/**
 * What one environment remembers of keys, by key id. It saves round trips and rejects nothing that the database would
 * admit: an empty bucket stays empty until its next token. Only an operator's change of the key differs, for at most
 * {@link DENIAL_MEMORY_MS}.
 */
export class KeyMemory {
  readonly #keys = new Map<string, RememberedKey>();

  /** What was last seen of a key, however long ago: a hint, not a verdict. */
  get(keyId: string): RememberedKey | undefined {
    return this.#keys.get(keyId);
  }

  /** Remembers the result of a database call. */
  set(keyId: string, key: RememberedKey): void {
    // Deleting first moves the key to the end of the map's insertion order.
    this.#keys.delete(keyId);
    this.#keys.set(keyId, key);
    if (this.#keys.size > KEYS_MAX) {
      const oldest = this.#keys.keys().next();
      if (!oldest.done) this.#keys.delete(oldest.value);
    }
  }

  /** Whether a key was unusable within the last {@link UNUSABLE_MEMORY_MS}. */
  isUnusable(keyId: string, nowMs: number): boolean {
    const key = this.#keys.get(keyId);
    return key !== undefined && key.bucket === undefined && isWithin(UNUSABLE_MEMORY_MS, key.seenAtMs, nowMs);
  }

  /** The bucket of a key that has no token now, if it was seen within the last {@link DENIAL_MEMORY_MS}. */
  emptyBucket(keyId: string, nowMs: number): Bucket | undefined {
    const key = this.#keys.get(keyId);
    if (!key?.bucket || !isWithin(DENIAL_MEMORY_MS, key.seenAtMs, nowMs)) return undefined;
    return hasToken(key.bucket, nowMs * 1_000) ? undefined : key.bucket;
  }
}

// A clock that was set back must not stretch a memory, hence the absolute value.
const isWithin = (spanMs: number, thenMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - thenMs) < spanMs;
