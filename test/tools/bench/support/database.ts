import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local-access/local-names.ts';
import { startEmbeddedDynamodb } from '../../../../infra/local/database/embedded-dynamodb.ts';
import { createTables } from '../../../../infra/local/database/local-tables.ts';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import type { BucketLimits } from '../../../../lib/token-bucket/token-bucket.ts';
import { keyItem } from './items.ts';

/** A database of the benchmark's own, with the local stage's tables. */
export interface BenchDatabase {
  readonly endpoint: string;
  readonly documents: DocumentClient;
  close(): Promise<void>;
}

export const startBenchDatabase = async (): Promise<BenchDatabase> => {
  const database = await startEmbeddedDynamodb({ data: 'memory' });
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

/** Issues a key with this number of tokens in its bucket. Returns the key. */
export const issueKey = async (
  documents: DocumentClient,
  limits: BucketLimits,
  tokens = limits.limit,
): Promise<string> => {
  const secret = generateApiKey('test');
  const Item = keyItem(secret, limits, Date.now(), tokens);
  await documents.send(new PutCommand({ TableName: LOCAL_TABLE_NAMES.apiKeys, Item }));
  return secret;
};
