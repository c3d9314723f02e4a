import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyId, type Mode } from './api-key.ts';
import type { StoredApiKey } from './stored-bucket.ts';
import { type BucketLimits, emissionIntervalMicros } from './token-bucket.ts';

/** What a new key is to be; its text comes from `generateApiKey`. */
export interface NewApiKey extends BucketLimits {
  readonly apiKey: string;
  readonly storeId: string;
  readonly mode: Mode;
  readonly label?: string | undefined;
  readonly lang?: string | undefined;
  readonly nowMs: number;
}

/** The operators' side of API keys. Requests never come here: they only take tokens. */
export interface ApiKeyStore {
  /** Stores a new key, full bucket included; `undefined` if that very key is stored already. */
  issue(key: NewApiKey): Promise<StoredApiKey | undefined>;

  /** Makes a key unusable at once and for good; a second revocation keeps the first one's time. */
  revoke(keyId: string, nowMs: number): Promise<'revoked' | 'unknown'>;
}

/** The default of a key that is issued without limits: 60 requests in 60 seconds. */
export const DEFAULT_LIMITS: BucketLimits = { limit: 60, windowSeconds: 60 };

const WINDOW_SECONDS_MAX = 30 * 86_400;

/** DynamoDB takes 1,000 writes a second to one item, and each request is one: a faster key could not be served. */
const REQUESTS_PER_SECOND_MAX = 1_000;

/** Why limits cannot be had, in one sentence; `undefined` if they can. */
export const refuseLimits = ({ limit, windowSeconds }: BucketLimits): string | undefined => {
  if (!Number.isInteger(limit) || limit < 1) return 'The limit must be a whole number of at least 1.';
  if (!Number.isInteger(windowSeconds) || windowSeconds < 1 || windowSeconds > WINDOW_SECONDS_MAX) {
    return `The window must be a whole number of seconds from 1 to ${WINDOW_SECONDS_MAX}.`;
  }
  if (limit > windowSeconds * REQUESTS_PER_SECOND_MAX) {
    return `A key can serve at most ${REQUESTS_PER_SECOND_MAX} requests a second: lower the limit or widen the window.`;
  }
  return undefined;
};

/** API keys in DynamoDB: one item a key, named by the SHA-256 of its text. */
export const createApiKeyStore = (documents: DynamoDBDocumentClient, tableName: string): ApiKeyStore => ({
  async issue({ apiKey, nowMs, ...key }) {
    const item: StoredApiKey = {
      keyId: apiKeyId(apiKey),
      ...key,
      createdAtMs: nowMs,
      tatMicros: 0,
      emissionIntervalMicros: emissionIntervalMicros(key),
    };
    const command = new PutCommand({
      TableName: tableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(keyId)',
    });
    try {
      await documents.send(command);
      return item;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  },

  async revoke(keyId, nowMs) {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: { keyId },
      ConditionExpression: 'attribute_exists(keyId)',
      UpdateExpression: 'SET revokedAtMs = if_not_exists(revokedAtMs, :nowMs)',
      ExpressionAttributeValues: { ':nowMs': nowMs },
    });
    try {
      await documents.send(command);
      return 'revoked';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'unknown';
      throw error;
    }
  },
});
