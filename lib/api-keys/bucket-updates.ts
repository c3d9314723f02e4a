import { BUCKET_IS_BUSY, BUCKET_IS_IDLE, BUCKET_STATE, takeToken } from '../token-bucket/take-expressions.ts';
import {
  type Bucket,
  type BucketLimits,
  burstToleranceMicros,
  emptyTatMicros,
} from '../token-bucket/token-bucket.ts';
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

/** The limits are the ones behind `:latestMicros`. LIMIT is a reserved word of DynamoDB. */
const HAS_LIMITS = `#limit = :limit AND ${windowSeconds} = :windowSeconds`;

const takeIdle = (nowMs: number, taker: string) => ({
  UpdateExpression: `SET ${takeToken('idle', emissionIntervalMicros)}, ${busySinceMs} = :nowMs, ${lastUsedAtMs} = :nowMs`,
  ConditionExpression: `${KEY_EXISTS} AND ${BUCKET_IS_IDLE}`,
  ExpressionAttributeValues: { ':nowMs': nowMs, ':nowMicros': nowMs * 1_000, ':taker': taker },
});

const takeBusy = (nowMs: number, limits: BucketLimits, taker: string) => ({
  UpdateExpression: `SET ${takeToken('busy', emissionIntervalMicros)}, ${lastUsedAtMs} = :nowMs`,
  ConditionExpression: `${KEY_EXISTS} AND ${BUCKET_IS_BUSY} AND ${HAS_LIMITS}`,
  ExpressionAttributeNames: { '#limit': ATTRIBUTE.limit },
  ExpressionAttributeValues: {
    ':nowMs': nowMs,
    ':nowMicros': nowMs * 1_000,
    ':latestMicros': nowMs * 1_000 + burstToleranceMicros(limits),
    ':limit': limits.limit,
    ':windowSeconds': limits.windowSeconds,
    ':taker': taker,
  },
});

/**
 * The conditional update that takes a token at `nowMs`. It differs for idle and busy buckets.
 *
 * @param bucket the bucket as last seen, which chooses the update. An unknown bucket counts as idle.
 * @param taker identifies the update: the SDK repeats one whose response was lost
 */
export const takeFrom = (bucket: Bucket | undefined, nowMs: number, taker: string) =>
  bucket && bucket.tatMicros > nowMs * 1_000 ? takeBusy(nowMs, bucket, taker) : takeIdle(nowMs, taker);

/** The update that empties a poisoned bucket at `nowMs`, if it is still as it was read. */
export const emptyPoisoned = (poisoned: Bucket, nowMs: number) => ({
  UpdateExpression: `SET ${tatMicros} = :emptyMicros, ${busySinceMs} = :nowMs`,
  ConditionExpression: `${tatMicros} = :readMicros`,
  ExpressionAttributeValues: {
    ':emptyMicros': emptyTatMicros(poisoned, nowMs * 1_000),
    ':nowMs': nowMs,
    ':readMicros': poisoned.tatMicros,
  },
});
