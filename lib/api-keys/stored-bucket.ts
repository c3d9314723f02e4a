import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../clock.ts';
import { DatabaseContentionError } from '../dynamodb.ts';
import { findKeyItem, updateKeyItem } from './key-item.ts';
import { isUsable, type StoredApiKey, toStoredApiKey } from './stored-api-key.ts';
import { type Bucket, type BucketLimits, burstToleranceMicros, hasToken } from './token-bucket.ts';

/** `taken`: a token was there; `denied`: the key is good and its bucket empty; `unusable`: unknown, revoked or expired. */
export type TakeResult =
  | {
      readonly outcome: 'taken' | 'denied';
      readonly key: StoredApiKey;
      /** The time that the outcome is true at. */
      readonly atMs: number;
    }
  | { readonly outcome: 'unusable' };

export interface TakeRequest {
  readonly keyId: string;
  readonly now: Clock;
  /**
   * The bucket as last seen; it may be wrong or absent. It chooses which call goes first, and an empty one that is confirmed
   * is denied even if a token comes back during that call.
   */
  readonly known?: Bucket | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StoredBucket {
  /**
   * Authenticates a key and takes a token from its bucket, in one conditional write; where the bucket is known to be
   * empty, in one read that confirms it.
   *
   * @throws DatabaseContentionError if the key's limits change under every attempt
   * @throws whatever the SDK throws when DynamoDB is slow, throttling or down
   */
  take(request: TakeRequest): Promise<TakeResult>;
}

/**
 * One attempt settles an idle or an exhausted bucket, two one that was thought idle and is busy. More are needed only
 * where an operator changes the limits between two attempts.
 */
const ATTEMPTS_MAX = 4;

// UpdateItem creates a missing item, hence the first clause.
const KEY_IS_USABLE =
  'attribute_exists(keyId) AND attribute_not_exists(revokedAtMs)' +
  ' AND (attribute_not_exists(expiresAtMs) OR expiresAtMs > :nowMs)';

/** The bucket is full: the token is taken from now on. */
const BUCKET_IS_IDLE = 'tatMicros <= :nowMicros';

/** The bucket is not full, and holds a token by the very limits that `:latestMicros` was computed from. */
const BUCKET_IS_BUSY =
  'tatMicros > :nowMicros AND tatMicros <= :latestMicros AND #limit = :limit AND windowSeconds = :windowSeconds';

/** DynamoDB has no `max()`, so taking a token is one of two exclusive updates; each is a part of the same command. */
const takeIdle = (nowMs: number) => ({
  UpdateExpression: 'SET tatMicros = :nowMicros + emissionIntervalMicros, lastUsedAtMs = :nowMs',
  ConditionExpression: `${KEY_IS_USABLE} AND ${BUCKET_IS_IDLE}`,
  ExpressionAttributeValues: { ':nowMs': nowMs, ':nowMicros': nowMs * 1_000 },
});

const takeBusy = (nowMs: number, limits: BucketLimits) => ({
  UpdateExpression: 'SET tatMicros = tatMicros + emissionIntervalMicros, lastUsedAtMs = :nowMs',
  ConditionExpression: `${KEY_IS_USABLE} AND ${BUCKET_IS_BUSY}`,
  ExpressionAttributeNames: { '#limit': 'limit' },
  ExpressionAttributeValues: {
    ':nowMs': nowMs,
    ':nowMicros': nowMs * 1_000,
    ':latestMicros': nowMs * 1_000 + burstToleranceMicros(limits),
    ':limit': limits.limit,
    ':windowSeconds': limits.windowSeconds,
  },
});

const takeFrom = (bucket: Bucket | undefined, nowMs: number) =>
  bucket && bucket.tatMicros > nowMs * 1_000 ? takeBusy(nowMs, bucket) : takeIdle(nowMs);

const hasSameLimits = (a: BucketLimits, b: BucketLimits): boolean =>
  a.limit === b.limit && a.windowSeconds === b.windowSeconds;

/**
 * The token bucket of an API key, in the key's own item.
 *
 * It never admits too many, under any number of writers: a take only raises the TAT, other limits carry the tokens
 * taken over, and each condition holds for the item as it is at that moment. A writer whose clock is behind another's
 * sees a bucket as much emptier as the clocks differ.
 */
export const createStoredBucket = (documents: DynamoDBDocumentClient, tableName: string): StoredBucket => ({
  async take({ keyId, now, known, signal }) {
    let bucket = known;
    let emptied: Bucket | undefined;
    let nowMs = now();
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const isEmpty = bucket !== undefined && !hasToken(bucket, nowMs * 1_000);
      if (isEmpty) emptied = bucket;
      // A read costs a fifth of a write, and nothing of the 1,000 writes a second that one item takes.
      // oxlint-disable no-await-in-loop -- each attempt follows from what the one before it saw
      const { applied, item } = isEmpty
        ? { applied: false, item: await findKeyItem(documents, tableName, keyId, signal) }
        : await updateKeyItem(
            documents,
            { TableName: tableName, Key: { keyId }, ...takeFrom(bucket, nowMs) },
            signal,
          );
      // oxlint-enable no-await-in-loop
      const key = item && toStoredApiKey(item);
      if (!key || (!applied && !isUsable(key, nowMs))) return { outcome: 'unusable' };
      if (applied) return { outcome: 'taken', key, atMs: nowMs };

      // Judged by the time of the verdict: a request that came later may have been first to move the TAT.
      const atMs = now();
      if (!hasToken(key, atMs * 1_000)) return { outcome: 'denied', key, atMs };
      // A token that was there is taken as of then: as of later, a fast bucket may look idle again and again, each time to
      // be overtaken. One that came back meanwhile is tried for once: where many wait for each token, more would slow a
      // slow database further. The same limits found empty twice were so in between, since the TAT only rises.
      if (!hasToken(key, nowMs * 1_000)) {
        if (emptied && hasSameLimits(emptied, key)) return { outcome: 'denied', key, atMs: nowMs };
        emptied = key;
        nowMs = atMs;
      }
      bucket = key;
    }
    throw new DatabaseContentionError();
  },
});
