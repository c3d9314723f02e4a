import { createKeyItems } from '../api-keys/key-items.ts';
import {
  isUsable,
  parseStoredApiKey,
  type StoredApiKey,
  requireStoredApiKey,
} from '../api-keys/stored-api-key.ts';
import { NO_PAUSES, retry } from '../core/retry.ts';
import type { DocumentClient } from '../database/documents.ts';
import { updateOf } from '../database/expressions.ts';
import {
  type BucketLimits,
  carryOver,
  emissionIntervalMicros,
  emptyTatMicros,
} from '../token-bucket/token-bucket.ts';

/** `ending`: the key ends at the requested time or its own earlier one. `unusable`: unknown, revoked or expired. */
export type Ending =
  | { readonly outcome: 'ending'; readonly endsAtMs: number }
  | { readonly outcome: 'unusable' };

/** An attempt fails if another write changes the key first: a request takes a token, or an operator changes or revokes the key. */
const ATTEMPTS_MAX = 4;

const EXISTS = 'attribute_exists(keyId)';

const NOT_REVOKED = `${EXISTS} AND attribute_not_exists(revokedAtMs)`;

const BUCKET_IS_AS_READ =
  'tatMicros = :readTatMicros AND #limit = :readLimit AND windowSeconds = :readWindow';

/**
 * The update that sets a key's limits.
 *
 * @param empties whether to write an empty bucket, whatever the stored bucket holds. This never adds a token.
 */
const limitsUpdate = (key: StoredApiKey, limits: BucketLimits, nowMs: number, empties: boolean) => {
  const set = {
    limit: limits.limit,
    windowSeconds: limits.windowSeconds,
    emissionIntervalMicros: emissionIntervalMicros(limits),
    tatMicros: empties ? emptyTatMicros(limits, nowMs) : carryOver(key, limits, nowMs),
    busySinceMs: nowMs,
  };
  if (empties) return updateOf({ set }, { ConditionExpression: NOT_REVOKED });
  const ExpressionAttributeValues = {
    ':readTatMicros': key.tatMicros,
    ':readLimit': key.limit,
    ':readWindow': key.windowSeconds,
  };
  const ConditionExpression = `${NOT_REVOKED} AND ${BUCKET_IS_AS_READ}`;
  return updateOf({ set }, { ConditionExpression, ExpressionAttributeValues });
};

/**
 * Sets a key's limits from its next request on. New limits refund no tokens. Taken ones return at the new rate.
 *
 * @returns the changed key, or `undefined` if it is unknown, revoked or expired
 */
const setLimits = async (
  items: ReturnType<typeof createKeyItems>,
  keyId: string,
  limits: BucketLimits,
  nowMs: number,
): Promise<StoredApiKey | undefined> => {
  let item = await items.find(keyId);
  const result = await retry(
    async (nth) => {
      const key = item && requireStoredApiKey(item);
      if (!key || !isUsable(key, nowMs)) return {};
      const updated = await items.update(keyId, limitsUpdate(key, limits, nowMs, nth === ATTEMPTS_MAX));
      item = updated.item;
      return updated.applied ? { key: requireStoredApiKey(updated.item) } : undefined;
    },
    { ...NO_PAUSES, attemptsMax: ATTEMPTS_MAX },
  );
  // Only a revoked or deleted key fails the last attempt.
  return result?.key;
};

/** Changes that operators make to a stored key. Each takes effect by one conditional write, safe under any traffic. */
export const createApiKeyChanges = (documents: DocumentClient, tableName: string) => {
  const items = createKeyItems(documents, tableName);
  return {
    setLimits: (keyId: string, limits: BucketLimits, nowMs: number) => setLimits(items, keyId, limits, nowMs),

    /**
     * Fills a key's bucket, even if a wrong clock has moved it: the written TAT is 0, whatever the time.
     *
     * @returns the changed key, or `undefined` if it is unknown, revoked or expired
     */
    async refill(keyId: string, nowMs: number): Promise<StoredApiKey | undefined> {
      const update = updateOf({ set: { tatMicros: 0 } }, { ConditionExpression: NOT_REVOKED });
      const { applied, item } = await items.update(keyId, update);
      const key = applied ? requireStoredApiKey(item) : undefined;
      return key && isUsable(key, nowMs) ? key : undefined;
    },

    /** Ends a key at a time, now or later, unless it ends earlier. It is safe to repeat. */
    async endAt(keyId: string, endsAtMs: number, nowMs: number): Promise<Ending> {
      // `>=` and not `>`: the client retries a write whose response was lost.
      const isLater = '(attribute_not_exists(expiresAtMs) OR expiresAtMs >= :expiresAtMs)';
      const condition = { ConditionExpression: `${NOT_REVOKED} AND ${isLater}` };
      const update = updateOf({ set: { expiresAtMs: endsAtMs } }, condition);
      const { applied, item } = await items.update(keyId, update);
      if (applied) return { outcome: 'ending', endsAtMs };
      const { revokedAtMs, expiresAtMs = 0 } = parseStoredApiKey(item) ?? {};
      return revokedAtMs === undefined && expiresAtMs > nowMs
        ? { outcome: 'ending', endsAtMs: expiresAtMs }
        : { outcome: 'unusable' };
    },

    /** Makes a key unusable at once and for ever. A second revocation keeps the time of the first. */
    async revoke(keyId: string, nowMs: number): Promise<'revoked' | 'unknown'> {
      const update = updateOf({ setIfMissing: { revokedAtMs: nowMs } }, { ConditionExpression: EXISTS });
      const { applied } = await items.update(keyId, update);
      return applied ? 'revoked' : 'unknown';
    },
  };
};
