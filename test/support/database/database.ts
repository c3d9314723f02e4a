import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { tableNamesOf } from '../../../infra/local-access/local-names.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';
import { atFileEnd } from '../run/file-end.ts';
import { beforeCalls, tablesOf } from './client-calls.ts';
import { createTestClient } from './test-client.ts';
import { createTestTable } from './test-tables.ts';

/** A client, and the names of its tables. */
export interface TestTables {
  readonly documents: DynamoDBDocumentClient;
  readonly tableNames: Readonly<Record<TableKind, string>>;
}

/** A test's own tables in the run's DynamoDB. */
export interface TestDatabase extends TestTables {
  readonly endpoint: string;
  /** Another client, which a test may disturb. */
  newClient(): DynamoDBDocumentClient;
}

/**
 * Gives tables under unique names, until the end of the file. The first call that names a table creates it: all ten
 * take 13 ms of CPU, and most files use three or four. Beside 900 others, the emulator would need twice as long to create one.
 *
 * @param kinds the tables to create at once: those that other clients use, and those of a test that controls the order of calls
 */
export const givenDatabase = async (kinds: readonly TableKind[] = []): Promise<TestDatabase> => {
  const endpoint = inject('dynamodbEndpoint');
  const tableNames = tableNamesOf(randomUUID());
  const client = createTestClient(endpoint);
  const created = new Map<TableKind, Promise<void>>();
  const create = (kind: TableKind): Promise<void> => {
    const creation = created.get(kind) ?? createTestTable(client, tableNames[kind], kind);
    created.set(kind, creation);
    return creation;
  };
  const newClient = (): DynamoDBDocumentClient => {
    const documents = createTestClient(endpoint);
    beforeCalls(documents, (input) => {
      const names = tablesOf(input);
      return Promise.all(TABLE_KINDS.filter((kind) => names.includes(tableNames[kind])).map(create));
    });
    return documents;
  };
  atFileEnd(async () => {
    // A call that no test awaited may still create one.
    const remove = async ([kind, creation]: readonly [TableKind, Promise<void>]): Promise<void> => {
      await creation;
      await client.send(new DeleteTableCommand({ TableName: tableNames[kind] }));
    };
    await Promise.all([...created].map(remove));
    client.destroy();
  });
  await Promise.all(kinds.map(create));
  return { endpoint, documents: newClient(), tableNames, newClient };
};

/** The stored item of a test cart, also past its deletion time. */
export const cartItemOf = async ({ documents, tableNames }: TestDatabase, id: string) =>
  (await documents.send(new GetCommand({ TableName: tableNames.testCarts, Key: { id } }))).Item;
