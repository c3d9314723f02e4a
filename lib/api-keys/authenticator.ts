import { isHotKeyThrottle } from '../aws/errors.ts';
import type { Clock } from '../core/clock.ts';
import type { DocumentClient } from '../database/documents.ts';
import { type Bucket, rateLimitAt, type RateLimit } from '../token-bucket/token-bucket.ts';
import { type ApiKey, KEY_REQUESTS_PER_SECOND_MAX } from './api-key.ts';
import { KeyMemory } from './key-memory.ts';
import { createStoredBucket, type StoredBucket } from './stored-bucket.ts';

/**
 * The verdict on a well-formed key: `authenticated` with one token taken, `limited` with none taken, or `unknown`. Unknown,
 * revoked and expired keys are all `unknown`: a caller must not distinguish them.
 */
export type KeyVerdict =
  | { readonly outcome: 'authenticated'; readonly apiKey: ApiKey; readonly rateLimit: RateLimit }
  | KeyRejection;

export type KeyRejection =
  | {
      readonly outcome: 'limited';
      readonly keyId: string;
      /** `undefined` if DynamoDB throttles a key that this environment has not seen. */
      readonly storeId: string | undefined;
      readonly rateLimit: RateLimit;
      /** DynamoDB throttled the key's item: the bucket may have tokens. */
      readonly isThrottled?: true;
    }
  | { readonly outcome: 'unknown' };

export interface Authenticator {
  /** The rejection that this environment remembers, if any. It needs no database call. */
  recallRejection(keyId: string, nowMs: number): KeyRejection | undefined;

  /**
   * Authenticates the key with this id and takes a token from its bucket.
   *
   * @throws any error of the SDK when DynamoDB is slow, throttles or is down. If it throttles the key's item alone, the
   * key is `limited` instead
   */
  authenticate(keyId: string, now: Clock, signal?: AbortSignal): Promise<KeyVerdict>;
}

/**
 * The rate limit to report when DynamoDB throttles the key's item: no tokens left. A key that was never seen has the
 * limit of any item.
 */
const throttledRateLimit = (known: Bucket | undefined, nowMs: number): RateLimit => {
  const bucket = known ?? { limit: KEY_REQUESTS_PER_SECOND_MAX, windowSeconds: 1, tatMicros: 0 };
  const { limit, resetAtSeconds, retryAfterSeconds } = rateLimitAt(bucket, nowMs);
  return {
    limit,
    remaining: 0,
    resetAtSeconds: Math.max(resetAtSeconds, Math.ceil(nowMs / 1_000) + 1),
    retryAfterSeconds: Math.max(retryAfterSeconds, 1),
  };
};

/** Authenticates API keys against their stored buckets, usually in one round trip thanks to its memory. */
export const createAuthenticator = (bucket: StoredBucket): Authenticator => {
  const memory = new KeyMemory();
  return {
    recallRejection(keyId, nowMs) {
      if (memory.isUnusable(keyId, nowMs)) return { outcome: 'unknown' };
      const empty = memory.emptyBucket(keyId, nowMs);
      if (!empty) return undefined;
      const { storeId } = empty;
      return { outcome: 'limited', keyId, storeId, rateLimit: rateLimitAt(empty, nowMs) };
    },

    async authenticate(keyId, now, signal) {
      const known = memory.get(keyId)?.bucket;
      try {
        const result = await bucket.take({ keyId, now, known, signal });
        if (result.outcome === 'unknown') {
          memory.set(keyId, { bucket: undefined, seenAtMs: now() });
          return { outcome: 'unknown' };
        }
        const { key, atMs } = result;
        const { storeId, limit, windowSeconds, tatMicros } = key;
        memory.set(keyId, { bucket: { storeId, limit, windowSeconds, tatMicros }, seenAtMs: atMs });
        const rateLimit = rateLimitAt(key, atMs);
        return result.outcome === 'taken'
          ? { outcome: 'authenticated', apiKey: key, rateLimit }
          : { outcome: 'limited', keyId, storeId, rateLimit };
      } catch (error) {
        if (!isHotKeyThrottle(error)) throw error;
        const rateLimit = throttledRateLimit(known, now());
        return { outcome: 'limited', keyId, storeId: known?.storeId, rateLimit, isThrottled: true };
      }
    },
  };
};

/** The authenticator of the keys in a table. */
export const createStoredAuthenticator = (documents: DocumentClient, tableName: string): Authenticator =>
  createAuthenticator(createStoredBucket(documents, tableName));
