import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyId } from '../api-keys/api-key.ts';
import { createKeyItems } from '../api-keys/key-items.ts';
import { parseStoredApiKey, type StoredApiKey } from '../api-keys/stored-api-key.ts';
import { unlessConditionFails } from '../database/conditional-writes.ts';
import type { DocumentClient } from '../database/documents.ts';
import { scanItems } from '../database/paginate.ts';
import type { Mode } from '../stores/mode.ts';
import { type BucketLimits, emissionIntervalMicros } from '../token-bucket/token-bucket.ts';
import { createApiKeyChanges } from './api-key-changes.ts';

export interface NewApiKey extends BucketLimits {
  /** The key's text from `generateApiKey`. It is never stored. */
  readonly keyText: string;
  readonly storeId: string;
  readonly mode: Mode;
  readonly label?: string | undefined;
  readonly lang?: string | undefined;
  /** When the key expires. Without it, the key works until it is revoked. */
  readonly expiresAtMs?: number | undefined;
  /** When DynamoDB may delete the key, in Unix seconds. Without it, the key stays, also once it is revoked. */
  readonly deleteAtSeconds?: number | undefined;
  readonly nowMs: number;
}

/** A key as read from its item. `key` is `undefined` if the item is invalid, for example after an edit by hand. */
export interface ReadApiKey {
  readonly keyId: string;
  readonly key: StoredApiKey | undefined;
}

/**
 * API keys for operators: one item per key, whose id is the SHA-256 of its text. Requests never use it: they only take
 * tokens.
 */
export const createApiKeyRepository = (documents: DocumentClient, tableName: string) => ({
  ...createApiKeyChanges(documents, tableName),

  /** Stores a new key with a full bucket. A stored key with the same text stays as it is. */
  async issue({ keyText, nowMs, ...key }: NewApiKey): Promise<StoredApiKey> {
    const item = {
      keyId: apiKeyId(keyText),
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
    // Two keys never have the same 190 random bits: if the key exists, the client retried a write whose response was lost.
    await unlessConditionFails(documents.send(command));
    return item;
  },

  async find(keyId: string): Promise<ReadApiKey | undefined> {
    const item = await createKeyItems(documents, tableName).find(keyId);
    return item && { keyId, key: parseStoredApiKey(item) };
  },

  /** Lists all keys, in no order. Reads the whole table. */
  list: (): Promise<readonly ReadApiKey[]> =>
    scanItems(documents, tableName, (item) => ({
      keyId: String(item['keyId']),
      key: parseStoredApiKey(item),
    })),
});

export type ApiKeyRepository = ReturnType<typeof createApiKeyRepository>;
