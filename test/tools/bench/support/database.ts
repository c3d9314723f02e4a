import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { startEmbeddedDynamodb } from '../../../../infra/local/embedded-dynamodb.ts';
import {
  createTables,
  LOCAL_TABLE_NAMES,
  localClientConfig,
} from '../../../../infra/local/local-database.ts';
import { createApiKeyStore } from '../../../../lib/api-keys/api-key-store.ts';
import { apiKeyId, generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { createDocumentClient } from '../../../../lib/dynamodb.ts';

/** A database of the benchmark's own, with the local stage's tables. */
export interface BenchDatabase {
  readonly endpoint: string;
  readonly documents: DynamoDBDocumentClient;
  close(): Promise<void>;
}

/** The fastest key that an operator can issue. */
export const AMPLE_LIMITS: BucketLimits = { limit: 1_000_000, windowSeconds: 1_000 };

export const startBenchDatabase = async (data = 'memory'): Promise<BenchDatabase> => {
  const database = await startEmbeddedDynamodb({ data });
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  await createTables(documents);
  return {
    endpoint: database.endpoint,
    documents,
    close: async () => {
      documents.destroy();
      await database.close();
    },
  };
};

/** Issues a key of the first demo store, with so many tokens in its bucket. Returns its text. */
export const issueKey = async (
  documents: DynamoDBDocumentClient,
  limits: BucketLimits,
  tokens = limits.limit,
): Promise<string> => {
  const secret = generateApiKey('test');
  const nowMs = Date.now();
  const store = createApiKeyStore(documents, LOCAL_TABLE_NAMES.apiKeys);
  const key = await store.issue({ secret, storeId: 'demo-store-one', mode: 'test', ...limits, nowMs });
  const takenMicros = (limits.limit - tokens) * key.emissionIntervalMicros;
  if (takenMicros > 0) {
    await documents.send(
      new UpdateCommand({
        TableName: LOCAL_TABLE_NAMES.apiKeys,
        Key: { keyId: apiKeyId(secret) },
        UpdateExpression: 'SET tatMicros = :tatMicros',
        ExpressionAttributeValues: { ':tatMicros': nowMs * 1_000 + takenMicros },
      }),
    );
  }
  return secret;
};

/** Counts the calls that a client sends from now on, each attempt of a call being one. */
export const countCalls = (client: Pick<DynamoDBDocumentClient, 'middlewareStack'>): (() => number) => {
  let calls = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      calls += 1;
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'countCalls' },
  );
  return () => calls;
};
