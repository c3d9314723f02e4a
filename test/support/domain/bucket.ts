import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { createStoredBucket } from '../../../lib/api-keys/stored-bucket.ts';
import { createApiKeyRepository } from '../../../lib/operators/api-key-repository.ts';
import {
  type Bucket,
  type BucketLimits,
  emissionIntervalMicros,
  hasToken,
} from '../../../lib/token-bucket/token-bucket.ts';
import { beforeCalls } from '../database/client-calls.ts';
import { givenDatabase } from '../database/database.ts';

/** A key of a test, with its bucket. */
export interface GivenKey {
  readonly keyText: string;
  readonly keyId: string;
}

/** A stored key with this bucket, for tests without a database. */
export const storedKey = (bucket: Bucket): StoredApiKey => ({
  keyId: 'key',
  storeId: 'store-1',
  mode: 'test',
  createdAtMs: 0,
  emissionIntervalMicros: emissionIntervalMicros(bucket),
  ...bucket,
});

/** The TAT after one token is taken, as the stored bucket's updates compute it. `undefined` if there is no token. */
export const takeToken = (bucket: Bucket, nowMs: number): number | undefined =>
  hasToken(bucket, nowMs)
    ? Math.max(bucket.tatMicros, nowMs * 1_000) + emissionIntervalMicros(bucket)
    : undefined;

/** Stored buckets in the embedded DynamoDB, and a count of the calls that they cost. */
export const givenStoredBuckets = async () => {
  const { documents, tableNames } = await givenDatabase();
  const apiKeys = createApiKeyRepository(documents, tableNames.apiKeys);
  let calls = 0;
  beforeCalls(documents, () => {
    calls += 1;
  });

  return {
    documents,
    tableName: tableNames.apiKeys,
    apiKeys,
    bucket: createStoredBucket(documents, tableNames.apiKeys),

    /** Runs a function and counts its database calls. */
    async countCalls<Result>(run: () => Promise<Result>): Promise<{ result: Result; calls: number }> {
      const before = calls;
      const result = await run();
      return { result, calls: calls - before };
    },

    /** A new key in test mode with a full bucket. */
    async givenKey(limits: BucketLimits, changes: Partial<StoredApiKey> = {}): Promise<GivenKey> {
      const keyText = generateApiKey('test');
      await apiKeys.issue({ keyText, storeId: 'store-1', mode: 'test', ...limits, nowMs: 0 });
      const key = { keyText, keyId: apiKeyId(keyText) };
      if (Object.keys(changes).length > 0) await this.change(key, changes);
      return key;
    },

    /** Writes attributes of a key without the service, as an edit by hand does. */
    async change({ keyId }: GivenKey, changes: Partial<StoredApiKey>): Promise<void> {
      const names = Object.keys(changes);
      await documents.send(
        new UpdateCommand({
          TableName: tableNames.apiKeys,
          Key: { keyId },
          UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(
            Object.entries(changes).map(([name, value]) => [`:${name}`, value]),
          ),
        }),
      );
    },

    /** Sets a key's limits, and leaves its bucket as it is. */
    changeLimits(key: GivenKey, limits: BucketLimits): Promise<void> {
      return this.change(key, { ...limits, emissionIntervalMicros: emissionIntervalMicros(limits) });
    },

    /** The item of a key, without the id of the write that took the last token. */
    async stored({ keyId }: GivenKey): Promise<StoredApiKey | undefined> {
      const { Item } = await documents.send(
        new GetCommand({ TableName: tableNames.apiKeys, Key: { keyId }, ConsistentRead: true }),
      );
      const { takenBy: _, ...key } = Item ?? {};
      return Item && (key as StoredApiKey);
    },
  };
};

export type StoredBuckets = Awaited<ReturnType<typeof givenStoredBuckets>>;

/** Limits of all sizes, and often some whose interval is rounded or that are extreme. */
export const anyLimits: fc.Arbitrary<BucketLimits> = fc.oneof(
  fc.constantFrom(
    { limit: 7, windowSeconds: 60 },
    { limit: 1, windowSeconds: 1 },
    { limit: 1_000, windowSeconds: 1 },
    { limit: 3, windowSeconds: 1 },
  ),
  fc.record({ limit: fc.integer({ min: 1, max: 20 }), windowSeconds: fc.integer({ min: 1, max: 3_600 }) }),
  fc.record({ limit: fc.integer({ min: 1, max: 1_000 }), windowSeconds: fc.integer({ min: 1, max: 60 }) }),
);

/** The generic cell rate algorithm (ITU-T I.371) in integers of any size, independent of the code under test. */
export const referenceBucket = ({ limit, windowSeconds }: BucketLimits) => {
  const size = BigInt(limit);
  const interval = (BigInt(windowSeconds) * 1_000_000n + size - 1n) / size;
  let tat = 0n;
  return {
    interval,
    tat: () => Number(tat),
    take(nowMs: number): { admitted: boolean; tatMicros: number } {
      const now = BigInt(nowMs) * 1_000n;
      const start = tat > now ? tat : now;
      const admitted = start + interval - now <= size * interval;
      if (admitted) tat = start + interval;
      return { admitted, tatMicros: Number(tat) };
    },
  };
};
