import { isThrottle } from '../dynamodb.ts';
import { type ApiKey, apiKeyId } from './api-key.ts';
import { KeyMemory } from './key-memory.ts';
import type { StoredBucket } from './stored-bucket.ts';
import { describeBucket, type RateLimit } from './token-bucket.ts';

/**
 * The answer to a well-formed key: `admitted` with one token taken, `limited` with none taken, or `unknown`, which
 * stands for unknown, revoked and expired alike, so that nobody learns which.
 */
export type Admission =
  { readonly outcome: 'admitted'; readonly apiKey: ApiKey; readonly rateLimit: RateLimit } | Refusal;

export type Refusal =
  | { readonly outcome: 'limited'; readonly keyId: string; readonly rateLimit: RateLimit }
  | { readonly outcome: 'unknown' };

export interface Authenticator {
  /** A refusal that needs no database call, because this environment has just seen why. */
  recall(apiKey: string, nowMs: number): Refusal | undefined;

  /**
   * Authenticates a well-formed key and takes a token from its bucket.
   *
   * @throws when DynamoDB is slow or down; a throttled key is `limited`, not thrown
   */
  admit(apiKey: string, nowMs: number, signal?: AbortSignal): Promise<Admission>;
}

/** DynamoDB takes this many writes a second to one item, so no key can pass more. */
const ITEM_WRITES_PER_SECOND_MAX = 1_000;

/** The limit that was met when DynamoDB throttles a key's item: not the key's own, but that of any item. */
const hotKeyRateLimit = (nowMs: number): RateLimit => ({
  limit: ITEM_WRITES_PER_SECOND_MAX,
  remaining: 0,
  resetAtSeconds: Math.ceil(nowMs / 1_000) + 1,
  retryAfterSeconds: 1,
});

/**
 * Authenticates API keys against their stored buckets, with a memory that makes one round trip the rule.
 *
 * @param bucket where keys and their buckets are stored
 * @param memory this environment's; lives as long as the environment
 */
export const createAuthenticator = (bucket: StoredBucket, memory = new KeyMemory()): Authenticator => ({
  recall(apiKey, nowMs) {
    const keyId = apiKeyId(apiKey);
    if (memory.isUnusable(keyId, nowMs)) return { outcome: 'unknown' };
    const empty = memory.emptyBucket(keyId, nowMs);
    return (
      empty && { outcome: 'limited', keyId, rateLimit: describeBucket(empty, empty.tatMicros, nowMs * 1_000) }
    );
  },

  async admit(apiKey, nowMs, signal) {
    const keyId = apiKeyId(apiKey);
    try {
      const result = await bucket.take({ keyId, nowMs, known: memory.get(keyId)?.bucket, signal });
      if (result.outcome === 'unusable') {
        memory.set(keyId, { bucket: undefined, seenAtMs: nowMs });
        return { outcome: 'unknown' };
      }
      const { key } = result;
      memory.set(keyId, { bucket: key, seenAtMs: nowMs });
      const rateLimit = describeBucket(key, key.tatMicros, nowMs * 1_000);
      return result.outcome === 'taken'
        ? { outcome: 'admitted', apiKey: key, rateLimit }
        : { outcome: 'limited', keyId, rateLimit };
    } catch (error) {
      if (isThrottle(error)) return { outcome: 'limited', keyId, rateLimit: hotKeyRateLimit(nowMs) };
      throw error;
    }
  },
});
