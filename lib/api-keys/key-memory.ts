import { type Bucket, hasToken } from '../token-bucket/token-bucket.ts';

/** The bucket of a key, with the store that the key belongs to. */
interface RememberedBucket extends Bucket {
  readonly storeId: string;
}

/** The state of a key in this environment's last database call for it. */
interface RememberedKey {
  /** `undefined` if the key was unknown, revoked or expired. */
  readonly bucket: RememberedBucket | undefined;
  readonly seenAtMs: number;
}

/** How long an empty bucket is trusted. A revocation, a higher limit or a refill must take effect within a second. */
const DENIAL_MEMORY_MS = 1_000;

/** How long an unusable key stays rejected without a call. A client in a loop must not cost a write per request. */
const UNUSABLE_MEMORY_MS = 5_000;

/** About 3 MB. A further key replaces the one that was seen least recently. */
const REMEMBERED_KEYS_MAX = 10_000;

/**
 * One environment's memory of keys, by key id, which saves round trips. It rejects no request that the database would
 * admit, because an empty bucket stays empty until its next token. There are two exceptions: a key whose limit an operator just
 * raised, or whose bucket one refilled, for at most {@link DENIAL_MEMORY_MS}, and a key that is stored after it was tried, for at
 * most {@link UNUSABLE_MEMORY_MS}.
 */
export class KeyMemory {
  readonly #keys = new Map<string, RememberedKey>();

  /** The last known state of a key, however old: a hint, not a verdict. */
  get(keyId: string): RememberedKey | undefined {
    return this.#keys.get(keyId);
  }

  set(keyId: string, key: RememberedKey): void {
    // Deleting first moves the key to the end of the map's insertion order.
    this.#keys.delete(keyId);
    this.#keys.set(keyId, key);
    if (this.#keys.size > REMEMBERED_KEYS_MAX) {
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
  emptyBucket(keyId: string, nowMs: number): RememberedBucket | undefined {
    const key = this.#keys.get(keyId);
    if (!key?.bucket || !isWithin(DENIAL_MEMORY_MS, key.seenAtMs, nowMs)) return undefined;
    return hasToken(key.bucket, nowMs) ? undefined : key.bucket;
  }
}

// The absolute value: a clock that is set back must not prolong a memory.
const isWithin = (spanMs: number, thenMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - thenMs) < spanMs;
