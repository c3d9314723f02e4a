import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { findEmulator } from '../../../../infra/local/embedded-dynamodb.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { toItem } from '../../../../lib/carts/cart-item.ts';
import { TABLES } from '../../../../infra/tables.ts';
import { withChecksum } from '../../../../lib/api-keys/api-key.ts';
import { AMPLE_LIMITS, cartIdOf, benchCart, keyItem } from '../support/items.ts';

const ITEMS_PER_FILE = 100_000;

type SeededTable = 'apiKeys' | 'testCarts';

export const secretOf = (index: number): string =>
  withChecksum(`cck_test_${String(index).padStart(32, '0')}`);

const describeTable = (table: SeededTable) => ({
  Table: {
    TableName: LOCAL_TABLE_NAMES[table],
    AttributeDefinitions: [{ AttributeName: TABLES[table].partitionKey, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: TABLES[table].partitionKey, KeyType: 'HASH' }],
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  },
});

/** Writes items in the form of DynamoDB's export to S3: compressed lines of JSON. */
const writeExport = (
  folder: string,
  table: SeededTable,
  count: number,
  itemOf: (index: number) => unknown,
): void => {
  const dataFolder = join(folder, LOCAL_TABLE_NAMES[table], 'data');
  mkdirSync(dataFolder, { recursive: true });
  for (let first = 0; first < count; first += ITEMS_PER_FILE) {
    const lines = Array.from({ length: Math.min(ITEMS_PER_FILE, count - first) }, (_, offset) =>
      JSON.stringify({ Item: marshall(itemOf(first + offset), { removeUndefinedValues: true }) }),
    );
    writeFileSync(join(dataFolder, `${first}.json.gz`), gzipSync(`${lines.join('\n')}\n`, { level: 1 }));
  }
};

/** Makes a database file with carts and keys by the emulator's import. A million writes would take 4 minutes. */
export const seed = async (file: string, carts: number, keys: number): Promise<void> => {
  const nowMs = Date.now();
  const folder = `${file}-export`;
  writeExport(folder, 'apiKeys', keys, (index) => keyItem(secretOf(index), AMPLE_LIMITS, nowMs));
  writeExport(folder, 'testCarts', carts, (index) => toItem(benchCart(cartIdOf(index), nowMs)));
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify([describeTable('apiKeys'), describeTable('testCarts')]));
  const { command, args } = findEmulator(process.platform, process.arch);
  const importArgs = [...args, 'import', '--source', folder, '--schema', schema, '--output', file];
  await promisify(execFile)(command, importArgs);
  rmSync(folder, { recursive: true });
};
