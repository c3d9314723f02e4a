import { randomUUID } from 'node:crypto';
import { ContentionError } from '../aws/errors.ts';
import type { Clock } from '../core/clock.ts';
import type { ConditionalWrite } from '../database/conditional-writes.ts';
import type { DocumentClient } from '../database/documents.ts';
import { type Bucket, type BucketLimits, hasToken, isPoisoned } from '../token-bucket/token-bucket.ts';
import { emptyPoisoned, keyUpdate } from './bucket-updates.ts';
import { createKeyItems } from './key-items.ts';
import { isUsable, type StoredApiKey, requireStoredApiKey } from './stored-api-key.ts';

/** `taken`: one token taken. `limited`: a good key with an empty bucket. `unknown`: no such key, or a revoked or expired one. */
export type TakeResult =
  | {
      readonly outcome: 'taken' | 'limited';
      readonly key: StoredApiKey;
      /**
       * The time for which to report the rate limit. For a taken token, it is the request's time or the time at which
       * the bucket was last full, whichever is later. DynamoDB may write a later request first. At its own time, this
       * request would report as many remaining tokens as the next one.
       */
      readonly atMs: number;
    }
  | { readonly outcome: 'unknown' };

interface TakeRequest {
  readonly keyId: string;
  readonly now: Clock;
  /** The bucket as last seen. It only chooses the first call, so it may be outdated or absent. */
  readonly known?: Bucket | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One suffices for an idle or an empty bucket, two for a busy one. More are needed only if operators change limits meanwhile. */
const ATTEMPTS_MAX = 4;

/** One attempt to take a token. */
interface Attempt {
  /** The time at which the token counts as taken. */
  readonly nowMs: number;
  /** The bucket as last seen. If it had no token then, the attempt is a read. */
  readonly bucket: Bucket | undefined;
  /**
   * The limits of the bucket when it was last seen without a token. It bounds the calls when a slow database makes tokens come
   * back during each read.
   */
  readonly emptyBefore: BucketLimits | undefined;
}

const hasTokenAt = (bucket: Bucket, nowMs: number): boolean => hasToken(bucket, nowMs * 1_000);

const hasSameLimits = (a: BucketLimits, b: BucketLimits): boolean =>
  a.limit === b.limit && a.windowSeconds === b.windowSeconds;

const firstAttempt = (known: Bucket | undefined, nowMs: number): Attempt => ({
  nowMs,
  bucket: known,
  emptyBefore: known && !hasTokenAt(known, nowMs) ? known : undefined,
});

/**
 * Creates the function that makes an attempt. It returns a result, or the next attempt. The first row that fits decides. "Now" is
 * after the call, because a later request may have moved the TAT first.
 *
 * | The key's item                                      | Result, or next attempt                      |
 * | --------------------------------------------------- | -------------------------------------------- |
 * | is missing, or the key has ended                    | `unknown`                                    |
 * | was updated by the attempt                          | `taken`                                      |
 * | is poisoned                                         | a write empties it, then `limited` as of now |
 * | has no token now                                    | `limited` as of now                          |
 * | had a token at the attempt's time                   | the right update, as of the same time        |
 * | has had a token since, and was empty before as well | `limited` as of the attempt's time           |
 * | has had a token since                               | an update as of now                          |
 */
const createAttempt = (documents: DocumentClient, tableName: string) => {
  const items = createKeyItems(documents, tableName);

  /** A read costs a fifth of a write, and none of the item's 1,000 writes a second. */
  const call = async (
    { nowMs, bucket }: Attempt,
    { keyId, signal }: TakeRequest,
  ): Promise<ConditionalWrite> => {
    if (bucket && !hasTokenAt(bucket, nowMs))
      return { applied: false, item: await items.find(keyId, signal) };
    const takenBy = randomUUID();
    return items.update(keyId, keyUpdate(bucket, nowMs, takenBy), signal, { takenBy });
  };

  return async (attempt: Attempt, request: TakeRequest): Promise<TakeResult | Attempt> => {
    const { nowMs, emptyBefore } = attempt;
    const { applied, item } = await call(attempt, request);
    const key = item && requireStoredApiKey(item);
    // The update does not check this (see `BUCKET_ATTRIBUTES`), so it also moves the bucket of a key that has ended.
    if (!key || !isUsable(key, nowMs)) return { outcome: 'unknown' };
    if (applied) return { outcome: 'taken', key, atMs: Math.max(nowMs, key.busySinceMs ?? 0) };
    const verdictAtMs = request.now();
    if (isPoisoned(key, verdictAtMs * 1_000)) {
      // If another writer was first, the result is that writer's item.
      const emptied = await items.update(key.keyId, emptyPoisoned(key, verdictAtMs), request.signal);
      return { outcome: 'limited', key: requireStoredApiKey(emptied.item), atMs: verdictAtMs };
    }
    if (!hasTokenAt(key, verdictAtMs)) return { outcome: 'limited', key, atMs: verdictAtMs };
    // A newer time could keep losing the race for a fast bucket.
    if (hasTokenAt(key, nowMs)) return { nowMs, bucket: key, emptyBefore };
    // Further attempts would slow a slow database.
    if (emptyBefore && hasSameLimits(emptyBefore, key)) return { outcome: 'limited', key, atMs: nowMs };
    return { nowMs: verdictAtMs, bucket: key, emptyBefore: key };
  };
};

/**
 * The token bucket of an API key, in the key's own item.
 *
 * It never admits too many requests, under any number of writers. Taking a token only raises the TAT, and new limits
 * refund none. DynamoDB checks each condition at the moment of the write. Clocks that differ admit at most the
 * refill of that difference (`docs/decisions.md`, "Clocks").
 *
 * A poisoned bucket counts as just emptied, and the next writer stores it as empty.
 */
export const createStoredBucket = (documents: DocumentClient, tableName: string) => {
  const attempt = createAttempt(documents, tableName);
  return {
    /**
     * Authenticates a key and takes a token from its bucket with one conditional write. If the bucket is known to be
     * empty, one read confirms that instead. A token that comes back during that read is not taken.
     *
     * @throws ContentionError if operators change the key's limits under every attempt
     * @throws any error of the SDK when DynamoDB is slow, throttles or is down
     */
    async take(request: TakeRequest): Promise<TakeResult> {
      let next: TakeResult | Attempt = firstAttempt(request.known, request.now());
      for (let made = 0; !('outcome' in next) && made < ATTEMPTS_MAX; made += 1)
        // oxlint-disable-next-line no-await-in-loop -- each attempt needs the bucket that the one before has seen
        next = await attempt(next, request);
      if ('outcome' in next) return next;
      throw new ContentionError();
    },
  };
};

export type StoredBucket = ReturnType<typeof createStoredBucket>;
