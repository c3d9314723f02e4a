import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { DatabaseContentionError } from '../dynamodb.ts';
import { type StoredApiKey, readStoredApiKey } from './stored-api-key.ts';
import { type BucketLimits, emissionIntervalMicros } from './token-bucket.ts';

/** When a key ends: at the time asked for, or at its own earlier one; `unusable` if it has ended, or never was. */
export type Ending =
  { readonly outcome: 'ending'; readonly endsAtMs: number } | { readonly outcome: 'unusable' };

/** What operators change of a key that is stored; each change is one conditional write, under any traffic. */
export interface ApiKeyChanges {
  /**
   * Gives a key other limits, which hold from its next request on; `undefined` if there is no such key. Tokens that
   * are taken still come back as slowly as they would have, but no later than those of a bucket that is empty now.
   *
   * @throws DatabaseContentionError if the bucket kept changing under every attempt
   */
  setLimits(keyId: string, limits: BucketLimits, nowMs: number): Promise<StoredApiKey | undefined>;

  /** Ends a key at a time to come, unless it ends earlier. */
  endAt(keyId: string, endsAtMs: number, nowMs: number): Promise<Ending>;

  /** Makes a key unusable at once and for good; a second revocation keeps the first one's time. */
  revoke(keyId: string, nowMs: number): Promise<'revoked' | 'unknown'>;
}

interface Update {
  /** Holds for the item as it is at that moment; the item must exist besides. */
  readonly condition?: string;
  readonly set: string;
  readonly names?: UpdateCommandInput['ExpressionAttributeNames'];
  readonly values: UpdateCommandInput['ExpressionAttributeValues'];
}

/** Updates a key that exists; a failed condition is told by the item as it was, if there was one. */
type UpdateKey = (
  keyId: string,
  update: Update,
) => Promise<{ readonly applied: boolean; readonly key: StoredApiKey | undefined }>;

const keyUpdater =
  (documents: DynamoDBDocumentClient, tableName: string): UpdateKey =>
  async (keyId, { condition, set, names, values }) => {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: { keyId },
      // UpdateItem creates a missing item, hence the first clause.
      ConditionExpression: ['attribute_exists(keyId)', ...(condition ? [condition] : [])].join(' AND '),
      UpdateExpression: `SET ${set}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      return { applied: true, key: readStoredApiKey((await documents.send(command)).Attributes) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { applied: false, key: error.Item && readStoredApiKey(unmarshall(error.Item)) };
    }
  };

/** The two updates exclude each other, so more attempts are needed only where the TAT moves between two of them. */
const ATTEMPTS_MAX = 4;

const SET_LIMITS =
  '#limit = :limit, windowSeconds = :windowSeconds, emissionIntervalMicros = :intervalMicros';

const setLimits = async (
  update: UpdateKey,
  keyId: string,
  limits: BucketLimits,
  nowMs: number,
): Promise<StoredApiKey | undefined> => {
  const intervalMicros = emissionIntervalMicros(limits);
  const names = { '#limit': 'limit' };
  const values = {
    ':limit': limits.limit,
    ':windowSeconds': limits.windowSeconds,
    ':intervalMicros': intervalMicros,
    // The TAT of an empty bucket. A later one, left by a longer window, would keep a raised limit waiting.
    ':emptyMicros': nowMs * 1_000 + limits.limit * intervalMicros,
  };
  // DynamoDB has no `min()`, hence two updates that exclude each other.
  const updates: readonly Update[] = [
    { condition: 'tatMicros <= :emptyMicros', set: SET_LIMITS, names, values },
    { condition: 'tatMicros > :emptyMicros', set: `${SET_LIMITS}, tatMicros = :emptyMicros`, names, values },
  ];
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each attempt follows from what the one before it saw
    const { applied, key } = await update(keyId, updates[attempt % 2] as Update);
    if (applied || !key) return key;
  }
  throw new DatabaseContentionError();
};

const endAt = async (update: UpdateKey, keyId: string, endsAtMs: number, nowMs: number): Promise<Ending> => {
  const { applied, key } = await update(keyId, {
    condition:
      'attribute_not_exists(revokedAtMs) AND (attribute_not_exists(expiresAtMs) OR expiresAtMs > :endsAtMs)',
    set: 'expiresAtMs = :endsAtMs',
    values: { ':endsAtMs': endsAtMs },
  });
  if (applied) return { outcome: 'ending', endsAtMs };
  const { revokedAtMs, expiresAtMs = 0 } = key ?? {};
  return revokedAtMs === undefined && expiresAtMs > nowMs
    ? { outcome: 'ending', endsAtMs: expiresAtMs }
    : { outcome: 'unusable' };
};

/** Changes of API keys in DynamoDB. */
export const createApiKeyChanges = (documents: DynamoDBDocumentClient, tableName: string): ApiKeyChanges => {
  const update = keyUpdater(documents, tableName);
  return {
    setLimits: (keyId, limits, nowMs) => setLimits(update, keyId, limits, nowMs),
    endAt: (keyId, endsAtMs, nowMs) => endAt(update, keyId, endsAtMs, nowMs),
    async revoke(keyId, nowMs) {
      const { applied } = await update(keyId, {
        set: 'revokedAtMs = if_not_exists(revokedAtMs, :nowMs)',
        values: { ':nowMs': nowMs },
      });
      return applied ? 'revoked' : 'unknown';
    },
  };
};
