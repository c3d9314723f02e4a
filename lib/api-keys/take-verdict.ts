import type { ConditionalWrite } from '../database/conditional-writes.ts';
import { type Bucket, hasToken, isPoisoned } from '../token-bucket/token-bucket.ts';
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

/** One attempt to take a token. */
export interface Attempt {
  /** The time at which the token counts as taken. */
  readonly nowMs: number;
  /** The bucket as last seen. */
  readonly bucket: Bucket | undefined;
  /** Whether the bucket was seen without a token. It bounds the calls when a slow database makes tokens come back during each read. */
  readonly wasEmpty: boolean;
}

/** After an attempt, there is a result, a poisoned bucket that a write must empty, or another attempt. */
type TakeVerdict =
  | TakeResult
  | { readonly outcome: 'poisoned'; readonly key: StoredApiKey }
  | { readonly outcome: 'retry'; readonly attempt: Attempt };

/** Whether an attempt finds no token in the bucket as last seen. It then only reads the item. */
export const onlyReads = ({ bucket, nowMs }: Pick<Attempt, 'bucket' | 'nowMs'>): boolean =>
  bucket !== undefined && !hasToken(bucket, nowMs);

export const firstAttempt = (known: Bucket | undefined, nowMs: number): Attempt => ({
  nowMs,
  bucket: known,
  wasEmpty: onlyReads({ bucket: known, nowMs }),
});

/**
 * The verdict after an attempt. The first row that fits decides. "Now" is after the call, because a later request may have moved
 * the TAT first.
 *
 * | The key's item                                      | Verdict                                      |
 * | --------------------------------------------------- | -------------------------------------------- |
 * | is missing, or the key has ended                    | `unknown`                                    |
 * | was updated by the attempt                          | `taken`                                      |
 * | is poisoned                                         | a write empties it, then `limited` as of now |
 * | has no token now                                    | `limited` as of now                          |
 * | had a token at the attempt's time                   | the right update, as of the same time        |
 * | has had a token since, and was empty before as well | `limited` as of the attempt's time           |
 * | has had a token since                               | an update as of now                          |
 */
export const verdictOf = (
  { nowMs: attemptAtMs, wasEmpty }: Attempt,
  { applied, item }: ConditionalWrite,
  nowMs: number,
): TakeVerdict => {
  const key = item && requireStoredApiKey(item);
  // The update does not check this (see `BUCKET_ATTRIBUTES`), so it also moves the bucket of a key that has ended.
  if (!key || !isUsable(key, attemptAtMs)) return { outcome: 'unknown' };
  if (applied) return { outcome: 'taken', key, atMs: Math.max(attemptAtMs, key.busySinceMs ?? 0) };
  if (isPoisoned(key, nowMs)) return { outcome: 'poisoned', key };
  if (!hasToken(key, nowMs)) return { outcome: 'limited', key, atMs: nowMs };
  // A newer time could keep losing the race for a fast bucket.
  if (hasToken(key, attemptAtMs)) {
    return { outcome: 'retry', attempt: { nowMs: attemptAtMs, bucket: key, wasEmpty } };
  }
  // Further attempts would slow a slow database.
  if (wasEmpty) return { outcome: 'limited', key, atMs: attemptAtMs };
  return { outcome: 'retry', attempt: { nowMs, bucket: key, wasEmpty: true } };
};
