import {
  CreateTableCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type TableDefinition, type TableKind, TABLES } from '../tables.ts';

/** The names of the local stage's tables. */
export const LOCAL_TABLE_NAMES = {
  apiKeys: `cart-checkout-local-${TABLES.apiKeys.name}`,
  products: `cart-checkout-local-${TABLES.products.name}`,
  carts: `cart-checkout-local-${TABLES.carts.name}`,
} as const satisfies Record<TableKind, string>;

/** The client configuration of a DynamoDB on this machine: made-up credentials, so that no real ones are ever sent. */
export const localClientConfig = (endpoint: string) =>
  ({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  }) satisfies DynamoDBClientConfig;

const createTable = async (
  documents: DynamoDBDocumentClient,
  tableName: string,
  { partitionKey, ttlAttribute }: TableDefinition,
): Promise<void> => {
  try {
    await documents.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: partitionKey, AttributeType: 'S' }],
        KeySchema: [{ AttributeName: partitionKey, KeyType: 'HASH' }],
      }),
    );
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  if (ttlAttribute === undefined) return;
  await documents.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true },
    }),
  );
};

/**
 * Creates the tables that do not exist yet; keeps those that do, with their data.
 *
 * @param tableNames the local stage's names, unless a test has its own
 */
export const createTables = async (
  documents: DynamoDBDocumentClient,
  tableNames: Readonly<Record<TableKind, string>> = LOCAL_TABLE_NAMES,
): Promise<void> => {
  const kinds = Object.keys(TABLES) as TableKind[];
  await Promise.all(kinds.map((kind) => createTable(documents, tableNames[kind], TABLES[kind])));
};
