import type { DynamoDBDocumentClient, UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { findKeyItem, updateKeyItem } from './key-item.ts';
import { isUsable, readStoredApiKey, type StoredApiKey, toStoredApiKey } from './stored-api-key.ts';
import { type BucketLimits, carryOver, emissionIntervalMicros } from './token-bucket.ts';

/** When a key ends: at the requested time or its own earlier one. `unusable`: unknown, revoked or expired. */
export type Ending =
  { readonly outcome: 'ending'; readonly endsAtMs: number } | { readonly outcome: 'unusable' };

/** Changes that operators make to a stored key. Each is one conditional write, safe under any traffic. */
export interface ApiKeyChanges {
  /**
   * Sets a key's limits, which hold from its next request on. Taken tokens stay taken, up to the new limit, and come
   * back at the new rate.
   *
   * @returns the changed key; `undefined` if it is unknown, revoked or expired
   */
  setLimits(keyId: string, limits: BucketLimits, nowMs: number): Promise<StoredApiKey | undefined>;

  /** Ends a key at a time from now on, unless it ends earlier. It is safe to repeat. */
  endAt(keyId: string, endsAtMs: number, nowMs: number): Promise<Ending>;

  /** Makes a key unusable at once and for ever. A second revocation keeps the time of the first. */
  revoke(keyId: string, nowMs: number): Promise<'revoked' | 'unknown'>;
}

interface Update {
  /** The condition of the write, in addition to the item's existence. */
  readonly condition?: string;
  readonly set: string;
  readonly names?: UpdateCommandInput['ExpressionAttributeNames'];
  readonly values: UpdateCommandInput['ExpressionAttributeValues'];
}

const keyTable = (documents: DynamoDBDocumentClient, tableName: string) => ({
  find: (keyId: string) => findKeyItem(documents, tableName, keyId),

  update: (keyId: string, { condition, set, names, values }: Update) =>
    updateKeyItem(documents, {
      TableName: tableName,
      Key: { keyId },
      // UpdateItem creates a missing item, hence the first clause.
      ConditionExpression: ['attribute_exists(keyId)', ...(condition ? [condition] : [])].join(' AND '),
      UpdateExpression: `SET ${set}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    }),
});

type KeyTable = ReturnType<typeof keyTable>;

/** An attempt fails only if a request takes a token between its read and its write. */
const ATTEMPTS_MAX = 4;

const NOT_REVOKED = 'attribute_not_exists(revokedAtMs)';

const BUCKET_IS_AS_READ =
  'tatMicros = :readTatMicros AND #limit = :readLimit AND windowSeconds = :readWindow';

/**
 * The update that sets a key's limits.
 *
 * @param isLast whether to write an empty bucket without a check of the stored one, which never refills it
 */
const limitsUpdate = (key: StoredApiKey, limits: BucketLimits, nowMs: number, isLast: boolean): Update => {
  // An operator's clock that is behind the requests' clocks would refill the bucket.
  const nowMicros = Math.max(nowMs, key.lastUsedAtMs ?? 0) * 1_000;
  const intervalMicros = emissionIntervalMicros(limits);
  const emptyMicros = nowMicros + limits.limit * intervalMicros;
  return {
    condition: isLast ? NOT_REVOKED : `${NOT_REVOKED} AND ${BUCKET_IS_AS_READ}`,
    set: '#limit = :limit, windowSeconds = :windowSeconds, emissionIntervalMicros = :intervalMicros, tatMicros = :tatMicros',
    names: { '#limit': 'limit' },
    values: {
      ':limit': limits.limit,
      ':windowSeconds': limits.windowSeconds,
      ':intervalMicros': intervalMicros,
      ':tatMicros': isLast ? emptyMicros : carryOver(key, limits, nowMicros),
      ...(!isLast && {
        ':readTatMicros': key.tatMicros,
        ':readLimit': key.limit,
        ':readWindow': key.windowSeconds,
      }),
    },
  };
};

const setLimits = async (
  table: KeyTable,
  keyId: string,
  limits: BucketLimits,
  nowMs: number,
): Promise<StoredApiKey | undefined> => {
  let item = await table.find(keyId);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const key = item && toStoredApiKey(item);
    if (!key || !isUsable(key, nowMs)) return undefined;
    const update = limitsUpdate(key, limits, nowMs, attempt === ATTEMPTS_MAX);
    // oxlint-disable-next-line no-await-in-loop -- each attempt follows from the item that the one before saw
    const updated = await table.update(keyId, update);
    if (updated.applied) return toStoredApiKey(updated.item);
    item = updated.item;
  }
  // Only a revocation fails the last attempt.
  return undefined;
};

const endAt = async (table: KeyTable, keyId: string, endsAtMs: number, nowMs: number): Promise<Ending> => {
  const { applied, item } = await table.update(keyId, {
    // `>=` and not `>`: the SDK repeats a write whose response was lost.
    condition: `${NOT_REVOKED} AND (attribute_not_exists(expiresAtMs) OR expiresAtMs >= :endsAtMs)`,
    set: 'expiresAtMs = :endsAtMs',
    values: { ':endsAtMs': endsAtMs },
  });
  if (applied) return { outcome: 'ending', endsAtMs };
  const { revokedAtMs, expiresAtMs = 0 } = readStoredApiKey(item) ?? {};
  return revokedAtMs === undefined && expiresAtMs > nowMs
    ? { outcome: 'ending', endsAtMs: expiresAtMs }
    : { outcome: 'unusable' };
};

/** Creates the changes of API keys in DynamoDB. */
export const createApiKeyChanges = (documents: DynamoDBDocumentClient, tableName: string): ApiKeyChanges => {
  const table = keyTable(documents, tableName);
  return {
    setLimits: (keyId, limits, nowMs) => setLimits(table, keyId, limits, nowMs),
    endAt: (keyId, endsAtMs, nowMs) => endAt(table, keyId, endsAtMs, nowMs),
    async revoke(keyId, nowMs) {
      const { applied } = await table.update(keyId, {
        set: 'revokedAtMs = if_not_exists(revokedAtMs, :nowMs)',
        values: { ':nowMs': nowMs },
      });
      return applied ? 'revoked' : 'unknown';
    },
  };
};
