import { type DynamoDB, UpdateItemCommand, type UpdateItemInput } from '@aws-sdk/client-dynamodb';
import { RateLimiterDynamo, RateLimiterRes } from 'rate-limiter-flexible';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { apiKeyId } from '../../../../lib/api-keys/api-key.ts';
import { createAuthenticator } from '../../../../lib/api-keys/authenticator.ts';
import { createStoredBucket } from '../../../../lib/api-keys/stored-bucket.ts';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import type { Documents } from '../../../../lib/core/documents.ts';

export const LIMITERS = ['ours', 'flexible'] as const;

/** Our limiter, or rate-limiter-flexible. */
export type LimiterName = (typeof LIMITERS)[number];

/** Takes a token of a key. Returns whether there was one. */
export type Decide = (key: string) => Promise<boolean>;

export const FLEXIBLE_TABLE = 'rate-limiter-flexible';

/** Our limiter as the functions use it: it remembers an empty bucket, and authenticates the key. */
const ours = (documents: Documents): Decide => {
  const authenticator = createAuthenticator(createStoredBucket(documents, LOCAL_TABLE_NAMES.apiKeys));
  return async (secret) => {
    const keyId = apiKeyId(secret);
    const { outcome } =
      authenticator.recall(keyId, Date.now()) ?? (await authenticator.admit(keyId, Date.now));
    if (outcome === 'unknown') throw new Error('The key is unknown');
    return outcome === 'admitted';
  };
};

/** rate-limiter-flexible with its memory: it blocks an exhausted key until the end of the window. */
const flexible = (documents: Documents, { limit, windowSeconds }: BucketLimits): Decide => {
  // The only method of the SDK's client that a decision calls.
  const storeClient = {
    updateItem: (input: UpdateItemInput) => documents.send(new UpdateItemCommand(input)),
  } as DynamoDB;
  const limiter = new RateLimiterDynamo({
    storeClient,
    tableName: FLEXIBLE_TABLE,
    tableCreated: true,
    ttlSet: true,
    points: limit,
    duration: windowSeconds,
    inMemoryBlockOnConsumed: limit,
  });
  return async (key) => {
    try {
      await limiter.consume(key);
      return true;
    } catch (error) {
      if (error instanceof RateLimiterRes) return false;
      throw error;
    }
  };
};

/** Creates a limiter with an empty memory. */
export const createLimiter = (name: LimiterName, documents: Documents, limits: BucketLimits): Decide =>
  name === 'ours' ? ours(documents) : flexible(documents, limits);
