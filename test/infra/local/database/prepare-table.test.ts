import { randomUUID } from 'node:crypto';
import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { prepareTable } from '../../../../infra/local/database/prepare-table.ts';
import type { TableDefinition } from '../../../../infra/stage/tables.ts';
import { givenDatabase } from '../../../support/database/database.ts';

const CART = { id: 'cart-1', cartId: 'cart-1', storeId: 'store-1', createdAt: '2026-11-20' };
const CARTS: TableDefinition = { name: 'carts', partitionKey: 'id' };
const BY_STORE = {
  name: 'by-store',
  partitionKey: 'storeId',
  sortKey: { name: 'createdAt', type: 'string' },
} as const;

const { documents } = await givenDatabase();

/** A table of this definition with one cart. Returns its name. */
const givenTable = async (definition: TableDefinition): Promise<string> => {
  const tableName = randomUUID();
  await prepareTable(documents, tableName, definition);
  await documents.send(new PutCommand({ TableName: tableName, Item: CART }));
  return tableName;
};

/** The item of a table with one cart. */
const cartIn = async (TableName: string, { partitionKey }: TableDefinition): Promise<unknown> =>
  (await documents.send(new GetCommand({ TableName, Key: { [partitionKey]: 'cart-1' } }))).Item;

test('a missing table is created, with its indexes and its TTL', async () => {
  const definition = { ...CARTS, indexes: [BY_STORE], ttlAttribute: 'deleteAtSeconds' };
  const TableName = await givenTable(definition);
  const { TimeToLiveDescription } = await documents.send(new DescribeTimeToLiveCommand({ TableName }));
  expect(TimeToLiveDescription?.AttributeName).toBe('deleteAtSeconds');
});

test('an existing table is kept, with its data', async () => {
  const definition = { ...CARTS, indexes: [BY_STORE] };
  const tableName = await givenTable(definition);

  await prepareTable(documents, tableName, definition);

  expect(await cartIn(tableName, definition)).toStrictEqual(CART);
});

test.each<[string, TableDefinition, TableDefinition, string]>([
  ['table', { ...CARTS, partitionKey: 'cartId' }, CARTS, 'cartId (S), and this version needs id (S)'],
  [
    'index',
    { ...CARTS, indexes: [{ name: 'by-store', partitionKey: 'storeId' }] },
    { ...CARTS, indexes: [BY_STORE] },
    'id (S), index by-store: storeId (S), and this version needs id (S), index by-store: storeId (S), createdAt (S)',
  ],
  [
    'table without an index',
    CARTS,
    { ...CARTS, indexes: [BY_STORE] },
    'id (S), and this version needs id (S), index by-store: storeId (S), createdAt (S)',
  ],
])(
  'another key of a stored %s is reported with what to do, and the data stay',
  async (_what, older, newer, difference) => {
    const tableName = await givenTable(older);

    await expect(prepareTable(documents, tableName, newer)).rejects.toThrow(
      new Error(
        `The table ${tableName} has the key ${difference}: keep that database with the version that made it, and choose another with --data FILE or --dynamodb URL.`,
      ),
    );
    expect(await cartIn(tableName, older)).toStrictEqual(CART);
  },
);
