import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, paginateScan, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type ApiKeyChanges, createApiKeyChanges } from './api-key-changes.ts';
import { apiKeyId, type Mode } from './api-key.ts';
import { findKeyItem } from './key-item.ts';
import { readStoredApiKey, type StoredApiKey } from './stored-api-key.ts';
import { type BucketLimits, emissionIntervalMicros } from './token-bucket.ts';

/** What a new key is to be; its secret comes from `generateApiKey`. */
export interface NewApiKey extends BucketLimits {
  /** The key's own text, which is not stored. */
  readonly secret: string;
  readonly storeId: string;
  readonly mode: Mode;
  readonly label?: string | undefined;
  readonly lang?: string | undefined;
  /** The moment from which on the key is unusable; without it, it stays usable until it is revoked. */
  readonly expiresAtMs?: number | undefined;
  readonly nowMs: number;
}

/** A key as it was read; `key` is missing where somebody edited its item by hand into nonsense. */
export interface ReadApiKey {
  readonly keyId: string;
  readonly key: StoredApiKey | undefined;
}

/** The operators' side of API keys. Requests never come here: they only take tokens. */
export interface ApiKeyStore extends ApiKeyChanges {
  /** Stores a new key, full bucket included; one of the same text that is stored already stays as it is. */
  issue(key: NewApiKey): Promise<StoredApiKey>;

  /** Finds a key as it is now. */
  find(keyId: string): Promise<ReadApiKey | undefined>;

  /** All keys, in no order. It reads the whole table. */
  list(): Promise<readonly ReadApiKey[]>;
}

/** API keys in DynamoDB: one item a key, named by the SHA-256 of its text. */
export const createApiKeyStore = (documents: DynamoDBDocumentClient, tableName: string): ApiKeyStore => ({
  ...createApiKeyChanges(documents, tableName),

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
    } catch (error) {
      // 190 random bits are not drawn twice: the SDK repeated a write whose answer was lost, and found its own item.
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
    return item;
  },

  async find(keyId) {
    const item = await findKeyItem(documents, tableName, keyId);
    return item && { keyId, key: readStoredApiKey(item) };
  },

  async list() {
    const pages = paginateScan({ client: documents }, { TableName: tableName, ConsistentRead: true });
    const keys: ReadApiKey[] = [];
    for await (const { Items = [] } of pages) {
      for (const item of Items) keys.push({ keyId: String(item['keyId']), key: readStoredApiKey(item) });
    }
    return keys;
  },
});
