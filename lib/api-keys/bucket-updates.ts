import { BUCKET_STATE, takeBusy, takeIdle } from '../token-bucket/take-expressions.ts';
import { type Bucket, type BucketLimits, emptyTatMicros, isFull } from '../token-bucket/token-bucket.ts';
import type { StoredApiKey } from './stored-api-key.ts';

/** The attributes of a key's item in the expressions below. An expression takes every name from here. */
const ATTRIBUTE = {
  keyId: 'keyId',
  limit: 'limit',
  windowSeconds: 'windowSeconds',
  emissionIntervalMicros: 'emissionIntervalMicros',
  busySinceMs: 'busySinceMs',
  lastUsedAtMs: 'lastUsedAtMs',
  ...BUCKET_STATE,
} as const satisfies { readonly [Name in keyof StoredApiKey | 'takenBy']?: Name };

/**
 * The attributes of a key's item that taking a token reads or writes. The role of a function that takes tokens may
 * update only these. It may not change the store, the mode, the label, the revocation or the expiry.
 *
 * IAM does not distinguish the attributes that a condition reads from those that an update writes. The conditions
 * therefore do not name `revokedAtMs` and `expiresAtMs`: `createStoredBucket` checks them in the returned item.
 */
export const BUCKET_ATTRIBUTES: readonly string[] = Object.values(ATTRIBUTE);

const { keyId, windowSeconds, emissionIntervalMicros, tatMicros, busySinceMs, lastUsedAtMs } = ATTRIBUTE;

// UpdateItem creates a missing item.
const KEY_EXISTS = `attribute_exists(${keyId})`;

/** The stored limits are those of the bucket as last seen. LIMIT is a reserved word of DynamoDB. */
const HAS_LIMITS = `#limit = :limit AND ${windowSeconds} = :windowSeconds`;

const fromIdle = (nowMs: number, taker: string) => {
  const take = takeIdle({ nowMs, interval: emissionIntervalMicros, taker });
  return {
    UpdateExpression: `SET ${take.assignments}, ${busySinceMs} = :nowMs, ${lastUsedAtMs} = :nowMs`,
    ConditionExpression: `${KEY_EXISTS} AND ${take.condition}`,
    ExpressionAttributeValues: { ...take.values, ':nowMs': nowMs },
  };
};

const fromBusy = (nowMs: number, limits: BucketLimits, taker: string) => {
  const take = takeBusy(limits, { nowMs, interval: emissionIntervalMicros, taker });
  return {
    UpdateExpression: `SET ${take.assignments}, ${lastUsedAtMs} = :nowMs`,
    ConditionExpression: `${KEY_EXISTS} AND ${take.condition} AND ${HAS_LIMITS}`,
    ExpressionAttributeNames: { '#limit': ATTRIBUTE.limit },
    ExpressionAttributeValues: {
      ...take.values,
      ':nowMs': nowMs,
      ':limit': limits.limit,
      ':windowSeconds': limits.windowSeconds,
    },
  };
};

/**
 * The conditional update that takes a token at `nowMs`. It differs for idle and busy buckets.
 *
 * @param bucket the bucket as last seen, which chooses the update. An unknown bucket counts as idle.
 * @param taker identifies the update: the SDK repeats one whose response was lost
 */
export const takeUpdate = (bucket: Bucket | undefined, nowMs: number, taker: string) =>
  bucket && !isFull(bucket, nowMs) ? fromBusy(nowMs, bucket, taker) : fromIdle(nowMs, taker);

/** The update that empties a poisoned bucket at `nowMs`, if it is still as it was read. */
export const emptyUpdate = (poisoned: Bucket, nowMs: number) => ({
  UpdateExpression: `SET ${tatMicros} = :emptyMicros, ${busySinceMs} = :nowMs`,
  ConditionExpression: `${tatMicros} = :readMicros`,
  ExpressionAttributeValues: {
    ':emptyMicros': emptyTatMicros(poisoned, nowMs),
    ':nowMs': nowMs,
    ':readMicros': poisoned.tatMicros,
  },
});
