import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { tableNamesOf } from '../../../infra/local-access/local-names.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';
import { atFileEnd } from '../run/file-end.ts';
import { createTestClient } from './test-client.ts';
import { createTestTables } from './test-tables.ts';

/** A test's own tables in the run's DynamoDB. */
export interface TestDatabase {
  readonly endpoint: string;
  readonly documents: DynamoDBDocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
}

/**
 * Creates the service's tables under unique names, until the end of the file. Beside 2,000 others, the emulator would need ten
 * times as long to create one.
 *
 * @param kinds only these tables, for a file that calls this before each test: a table costs 2 ms of CPU
 */
export const givenDatabase = async (kinds: readonly TableKind[] = TABLE_KINDS): Promise<TestDatabase> => {
  const endpoint = inject('dynamodbEndpoint');
  const documents = createTestClient(endpoint);
  const tableNames = tableNamesOf(randomUUID());
  await createTestTables(documents, tableNames, kinds);
  atFileEnd(async () => {
    // A test may have changed the client that it gets.
    const client = createTestClient(endpoint);
    const remove = (kind: TableKind) => client.send(new DeleteTableCommand({ TableName: tableNames[kind] }));
    await Promise.all(kinds.map(remove));
    client.destroy();
  });
  return { endpoint, documents, tableNames };
};

/** The stored item of a test cart, also past its deletion time. */
export const cartItemOf = async ({ documents, tableNames }: TestDatabase, id: string) =>
  (await documents.send(new GetCommand({ TableName: tableNames.testCarts, Key: { id } }))).Item;
