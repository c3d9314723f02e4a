import { PassThrough } from 'node:stream';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ScanOptions,
  type ScanPosition,
  scanTables,
  type TableScan,
} from '../../../../infra/operate/shared/scan.ts';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { mockDocuments } from '../../../support/database/client-calls.ts';
import { givenDatabase } from '../../../support/database/database.ts';

const { documents, tableNames } = await givenDatabase();
const IDS = Array.from({ length: 40 }, (_, index) => `item-${index + 10}`);

beforeAll(async () => {
  const put = (id: string, index: number) => {
    const TableName = index % 2 === 0 ? tableNames.products : tableNames.stores;
    return documents.send(new PutCommand({ TableName, Item: { id, name: id } }));
  };
  await Promise.all(IDS.map(put));
});

/** Creates the context of a scan, which does not wait. */
const givenContext = (client: DocumentClient = documents) => {
  const said: unknown[] = [];
  const pauses: number[] = [];
  const context = {
    stage: { documents: client },
    pauses: { sleep: async (ms: number) => pauses.push(ms) },
    say: (line: unknown) => void said.push(line),
    stderr: new PassThrough(),
  };
  return { context, said, pauses };
};

const TABLES: readonly TableScan[] = [tableNames.products, tableNames.stores].map((TableName) => ({
  input: { TableName, Limit: 5 },
}));

const OPTIONS: ScanOptions = { step: 'Reading', unitsPerSecond: 10 };

/** Scans both tables in pages of five items, and calls `handle` for each page. Returns the ids and the last place. */
const scan = async (from?: ScanPosition, handle: (pages: number) => void = () => undefined) => {
  const { context, pauses } = givenContext();
  const ids: string[] = [];
  let end: ScanPosition | undefined;
  let pages = 0;
  for await (const { items, next } of scanTables(context, TABLES, { ...OPTIONS, from })) {
    pages += 1;
    ids.push(...items.map(({ id }) => String(id)));
    end = next;
    handle(pages);
  }
  return { ids, end, pauses, pages };
};

describe('a scan', () => {
  test('waits for the time that its read units take', async () => {
    const { pauses, pages } = await scan();
    // A page of five small items takes half a read unit. The last page of a table need not wait.
    expect(pauses).toStrictEqual(Array.from({ length: pages - TABLES.length }, () => 50));
  });

  test('continues from any place, in JSON', async () => {
    const places: { readonly read: string[]; readonly end: string }[] = [];
    const { context } = givenContext();
    const read: string[] = [];
    for await (const { items, next } of scanTables(context, TABLES, OPTIONS)) {
      read.push(...items.map(({ id }) => String(id)));
      places.push({ read: [...read], end: JSON.stringify(next) });
    }
    expect(places.length).toBeGreaterThan(8);
    for (const place of places) {
      const rest = await scan(JSON.parse(place.end) as ScanPosition);
      expect([...place.read, ...rest.ids].toSorted()).toStrictEqual(IDS);
    }
  });
});

// The emulator says that every table has 0 bytes.
test.each<[readonly string[], number, number, string]>([
  [['carts'], 0, 1, 'Scans at most about 1 item: 1 read unit, less than $0.01.'],
  [['carts', 'test-carts'], 8_192, 6, 'Scans at most about 12 items: 2 read units, less than $0.01.'],
  [
    ['carts', 'test-carts'],
    6_500_000_000,
    10_000_000,
    'Scans at most about 20,000,000 items: 1,586,915 read units, $0.20.',
  ],
])('states the cost of the tables %j of %i bytes each', async (tables, TableSizeBytes, ItemCount, line) => {
  const client = createDocumentClient();
  const mock = mockDocuments(client);
  mock.on(DescribeTableCommand).resolves({ Table: { TableSizeBytes, ItemCount } });
  mock.on(ScanCommand).resolves({});
  const { context, said } = givenContext(client);
  const scans = tables.map((TableName) => ({ input: { TableName } }));
  for await (const _ of scanTables(context, scans, { step: 'Reading' })) {
    expect(said).toStrictEqual([line, 'DynamoDB counts a table every six hours.']);
  }
  expect(said).toHaveLength(2);
});
