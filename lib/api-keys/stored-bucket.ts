import { randomUUID } from 'node:crypto';
import { ContentionError } from '../core/aws-errors.ts';
import type { Clock } from '../core/clock.ts';
import type { ConditionalWrite } from '../database/conditional-writes.ts';
import type { DocumentClient } from '../database/documents.ts';
import { createKeyItems } from './key-items.ts';
import { isUsable, type StoredApiKey, requireStoredApiKey } from './stored-api-key.ts';
import { emptyPoisoned, takeFrom } from './take-expressions.ts';
import { type Bucket, type BucketLimits, hasToken, isPoisoned } from './token-bucket.ts';

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

/**
 * One attempt suffices for an idle or an empty bucket, two for a busy one that was expected to be idle. More are
 * needed only if an operator changes the limits between two attempts.
 */
const ATTEMPTS_MAX = 4;

/** One attempt to take a token. */
interface Attempt {
  /** The time at which the token counts as taken. */
  readonly nowMs: number;
  /** The bucket as last seen. */
  readonly bucket: Bucket | undefined;
  /** The bucket as it was when it was last seen without a token. */
  readonly emptyBefore: Bucket | undefined;
}

const hasTokenAt = (bucket: Bucket, nowMs: number): boolean => hasToken(bucket, nowMs * 1_000);

const hasSameLimits = (a: BucketLimits, b: BucketLimits): boolean =>
  a.limit === b.limit && a.windowSeconds === b.windowSeconds;

/** Decides what follows an attempt that took no token although the key is usable: a result, or the next attempt. */
const judge = (
  { nowMs, emptyBefore }: Attempt,
  key: StoredApiKey,
  verdictAtMs: number,
): TakeResult | Attempt => {
  // The time of the verdict counts, because a later request may have moved the TAT first.
  if (!hasTokenAt(key, verdictAtMs)) return { outcome: 'limited', key, atMs: verdictAtMs };
  // The attempt used the wrong one of the two updates. The next one keeps the time: a newer one can keep losing the race for a
  // fast bucket.
  if (hasTokenAt(key, nowMs)) return { nowMs, bucket: key, emptyBefore };
  // A token returned during the attempt. Try once more, unless the bucket was empty before too: it is then limited as of `nowMs`,
  // when it was empty. Further attempts would slow a slow database.
  if (emptyBefore && hasSameLimits(emptyBefore, key)) return { outcome: 'limited', key, atMs: nowMs };
  return { nowMs: verdictAtMs, bucket: key, emptyBefore: key };
};

/** The two steps of {@link createStoredBucket}: each returns a result, or the next attempt. */
const createSteps = (documents: DocumentClient, tableName: string) => {
  const items = createKeyItems(documents, tableName);

  /** Decides what follows a step. `applied`: it took a token. `item`: the key as the step left it. */
  const resultOf = async (
    attempt: Attempt,
    { applied, item }: ConditionalWrite,
    { keyId, now, signal }: TakeRequest,
  ): Promise<TakeResult | Attempt> => {
    const key = item && requireStoredApiKey(item);
    // The update does not check this (see `BUCKET_ATTRIBUTES`), so it also moves the bucket of a key that has ended.
    if (!key || !isUsable(key, attempt.nowMs)) return { outcome: 'unknown' };
    if (applied) return { outcome: 'taken', key, atMs: Math.max(attempt.nowMs, key.busySinceMs ?? 0) };
    const verdictAtMs = now();
    if (!isPoisoned(key, verdictAtMs * 1_000)) return judge(attempt, key, verdictAtMs);
    // If another writer was first, the result is that writer's item.
    const emptied = await items.update(keyId, emptyPoisoned(key, verdictAtMs), signal);
    return { outcome: 'limited', key: requireStoredApiKey(emptied.item), atMs: verdictAtMs };
  };

  return {
    /** Reads a bucket that was empty. That costs a fifth of a write, and none of the item's 1,000 writes a second. */
    async confirmEmpty(known: Bucket, nowMs: number, request: TakeRequest): Promise<TakeResult | Attempt> {
      const item = await items.find(request.keyId, request.signal);
      return resultOf({ nowMs, bucket: known, emptyBefore: known }, { applied: false, item }, request);
    },

    async tryToTake(attempt: Attempt, request: TakeRequest): Promise<TakeResult | Attempt> {
      const takenBy = randomUUID();
      const change = takeFrom(attempt.bucket, attempt.nowMs, takenBy);
      const updated = await items.update(request.keyId, change, request.signal, { takenBy });
      return resultOf(attempt, updated, request);
    },
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
  const steps = createSteps(documents, tableName);
  return {
    /**
     * Authenticates a key and takes a token from its bucket with one conditional write. If the bucket is known to be
     * empty, one read confirms that instead. A token that comes back during that read is not taken.
     *
     * @throws ContentionError if operators change the key's limits under every attempt
     * @throws any error of the SDK when DynamoDB is slow, throttles or is down
     */
    async take(request: TakeRequest): Promise<TakeResult> {
      const { now, known } = request;
      const nowMs = now();
      let next: TakeResult | Attempt =
        known && !hasTokenAt(known, nowMs)
          ? await steps.confirmEmpty(known, nowMs, request)
          : { nowMs, bucket: known, emptyBefore: undefined };
      for (let attempts = 0; !('outcome' in next) && attempts < ATTEMPTS_MAX; attempts += 1)
        // oxlint-disable-next-line no-await-in-loop -- each attempt needs the bucket that the one before has seen
        next = await steps.tryToTake(next, request);
      if ('outcome' in next) return next;
      throw new ContentionError();
    },
  };
};

export type StoredBucket = ReturnType<typeof createStoredBucket>;
