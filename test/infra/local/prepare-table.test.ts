import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTimeToLiveCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { prepareTable } from '../../../infra/local/prepare-table.ts';
import type { TableDefinition } from '../../../infra/tables.ts';
import { createDocumentClient } from '../../../lib/aws.ts';

const TABLE = 'test-carts';
const CART = { id: 'cart-1', cartId: 'cart-1', storeId: 'store-1', createdAt: '2026-11-20' };
const CARTS: TableDefinition = { name: 'carts', partitionKey: 'id' };
const BY_STORE = {
  name: 'by-store',
  partitionKey: 'storeId',
  sortKey: { name: 'createdAt', type: 'string' },
} as const;

/** Opens a database file until the test ends. */
const openFile = async (data: string) => {
  const database = await startEmbeddedDynamodb({ data });
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  const close = async (): Promise<void> => {
    documents.destroy();
    await database.close();
  };
  onTestFinished(close);
  return { documents, close };
};

/** Reopens a data file with one cart in a table of this definition. */
const givenFile = async (definition: TableDefinition | undefined) => {
  const data = join(await mkdtemp(join(tmpdir(), 'cart-checkout-tables-')), 'data.sqlite');
  const { documents, close } = await openFile(data);
  if (definition) {
    await prepareTable(documents, TABLE, definition);
    await documents.send(new PutCommand({ TableName: TABLE, Item: CART }));
  }
  await close();
  return (await openFile(data)).documents;
};

const ttlOf = async (documents: Awaited<ReturnType<typeof givenFile>>): Promise<string | undefined> => {
  const { TimeToLiveDescription } = await documents.send(new DescribeTimeToLiveCommand({ TableName: TABLE }));
  return TimeToLiveDescription?.AttributeName;
};

test('a table that a file lacks is created, with its indexes and its TTL', async () => {
  const documents = await givenFile(undefined);

  await prepareTable(documents, TABLE, { ...CARTS, indexes: [BY_STORE], ttlAttribute: 'deleteAtSeconds' });

  expect((await documents.send(new ListTablesCommand())).TableNames).toStrictEqual([TABLE]);
  expect(await ttlOf(documents)).toBe('deleteAtSeconds');
});

test('a table that a file has is kept, with its data', async () => {
  const definition = { ...CARTS, indexes: [BY_STORE] };
  const documents = await givenFile(definition);

  await prepareTable(documents, TABLE, definition);

  const { Item } = await documents.send(new GetCommand({ TableName: TABLE, Key: { id: 'cart-1' } }));
  expect(Item).toStrictEqual(CART);
});

test.each<[string, TableDefinition, TableDefinition, string]>([
  [
    'table',
    { ...CARTS, partitionKey: 'cartId' },
    CARTS,
    'The table test-carts has the key cartId (S), and this version needs id (S): ',
  ],
  [
    'index',
    { ...CARTS, indexes: [{ name: 'by-store', partitionKey: 'storeId' }] },
    { ...CARTS, indexes: [BY_STORE] },
    'The table test-carts has the key id (S), index by-store: storeId (S), and this version needs id (S), index by-store: storeId (S), createdAt (S): ',
  ],
  [
    'table without an index',
    CARTS,
    { ...CARTS, indexes: [BY_STORE] },
    'The table test-carts has the key id (S), and this version needs id (S), index by-store: storeId (S), createdAt (S): ',
  ],
])(
  'another key of a stored %s is reported with what to do, and the data stay',
  async (_what, older, newer, difference) => {
    const documents = await givenFile(older);

    await expect(prepareTable(documents, TABLE, newer)).rejects.toThrow(
      new Error(
        `${difference}keep that database with the version that made it, and choose another with --data FILE or --dynamodb URL.`,
      ),
    );
    const key = { [older.partitionKey]: 'cart-1' };
    expect((await documents.send(new GetCommand({ TableName: TABLE, Key: key }))).Item).toStrictEqual(CART);
  },
);
