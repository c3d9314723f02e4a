import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { findEmulator } from '../../../../infra/local/embedded-dynamodb.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local/local-database.ts';
import { TABLES } from '../../../../infra/tables.ts';
import { cartIdOf, seededCart, seededKey } from './seed-items.ts';

const ITEMS_PER_FILE = 100_000;

type ItemOf = (index: number) => Record<string, unknown>;

const describeTable = (kind: 'apiKeys' | 'carts') => ({
  Table: {
    TableName: LOCAL_TABLE_NAMES[kind],
    AttributeDefinitions: [{ AttributeName: TABLES[kind].partitionKey, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: TABLES[kind].partitionKey, KeyType: 'HASH' }],
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  },
});

/** Writes items by their number as DynamoDB's export to S3 does: lines of JSON, compressed. */
const writeExport = (folder: string, kind: 'apiKeys' | 'carts', count: number, itemOf: ItemOf): void => {
  const dataFolder = join(folder, LOCAL_TABLE_NAMES[kind], 'data');
  mkdirSync(dataFolder, { recursive: true });
  for (let first = 0; first < count; first += ITEMS_PER_FILE) {
    const lines = Array.from({ length: Math.min(ITEMS_PER_FILE, count - first) }, (_, offset) =>
      JSON.stringify({ Item: marshall(itemOf(first + offset), { removeUndefinedValues: true }) }),
    );
    writeFileSync(join(dataFolder, `${first}.json.gz`), gzipSync(`${lines.join('\n')}\n`, { level: 1 }));
  }
};

/** Makes a database's file with carts and keys: by the emulator's import, since 1,000,000 writes would take it 4 minutes. */
export const seed = async (file: string, carts: number, keys: number): Promise<void> => {
  const nowMs = Date.now();
  const folder = `${file}-export`;
  writeExport(folder, 'apiKeys', keys, (index) => ({ ...seededKey(index, nowMs) }));
  writeExport(folder, 'carts', carts, (index) => seededCart(cartIdOf(index), nowMs));
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify([describeTable('apiKeys'), describeTable('carts')]));
  const { command, args } = findEmulator(process.platform, process.arch);
  const importArgs = [...args, 'import', '--source', folder, '--schema', schema, '--output', file];
  await promisify(execFile)(command, importArgs);
  rmSync(folder, { recursive: true });
};
