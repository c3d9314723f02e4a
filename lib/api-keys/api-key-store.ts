import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyId, type Mode } from './api-key.ts';
import type { StoredApiKey } from './stored-api-key.ts';
import { type BucketLimits, emissionIntervalMicros } from './token-bucket.ts';

/** What a new key is to be; its secret comes from `generateApiKey`. */
export interface NewApiKey extends BucketLimits {
  /** The key's own text, which is not stored. */
  readonly secret: string;
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

/** API keys in DynamoDB: one item a key, named by the SHA-256 of its text. */
export const createApiKeyStore = (documents: DynamoDBDocumentClient, tableName: string): ApiKeyStore => ({
  async issue({ secret, nowMs, ...key }) {
    const item: StoredApiKey = {
      keyId: apiKeyId(secret),
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
