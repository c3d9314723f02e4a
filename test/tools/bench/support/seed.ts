import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import type { TableKind } from '../../../../lib/database/tables.ts';
import { startBenchDatabase } from './database.ts';

/** Items of a table that differ in some texts, such as ids and times. */
export interface Copies {
  /** The first item, as the service stores it. */
  readonly item: Readonly<Record<string, unknown>>;
  readonly count: number;
  /** The texts that differ, of the copy with this number. Copy 0 is the item. The texts of all copies have equal lengths. */
  readonly textsOf: (index: number) => readonly string[];
}

/** A row of the emulator's file: the keys and the item as texts. */
interface Row {
  readonly pk: string;
  readonly sk: string;
  readonly item_json: string;
}

const copyRows = (file: DatabaseSync, table: string, { count, textsOf }: Copies): void => {
  const { pk, sk, item_json } = file.prepare(`SELECT * FROM "${table}"`).get() as unknown as Row;
  const insert = file.prepare(
    `INSERT INTO "${table}" SELECT ?, ?, ?, item_size, cached_at, hash_prefix FROM "${table}" WHERE rowid = 1`,
  );
  const originals = textsOf(0);
  for (let index = 1; index < count; index += 1) {
    const texts = textsOf(index);
    const copyOf = (text: string): string =>
      originals.reduce((copy, original, place) => copy.replaceAll(original, texts[place]!), text);
    insert.run(copyOf(pk), copyOf(sk), copyOf(item_json));
  }
};

/**
 * Writes a file to the disk. Otherwise, the emulator's first checkpoint writes it during a measurement. This takes a second for
 * 1.4 GB. On a busy disk, it takes longer than the time limit of a call.
 */
const flush = (path: string): void => {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
};

/**
 * Makes a database file with many items. The emulator stores the first item of each table, and this function copies its row.
 * A million items take some 15 s. The emulator's import takes 2 minutes, and single writes 4.
 */
export const seedDatabase = async (
  path: string,
  tables: Partial<Readonly<Record<TableKind, Copies>>>,
): Promise<void> => {
  const seeded = Object.entries(tables) as [TableKind, Copies][];
  const database = await startBenchDatabase(path);
  for (const [kind, { item }] of seeded) {
    await database.documents.send(new PutCommand({ TableName: LOCAL_TABLE_NAMES[kind], Item: item }));
  }
  await database.close();
  const file = new DatabaseSync(path);
  file.exec(
    'PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN',
  );
  for (const [kind, copies] of seeded) copyRows(file, LOCAL_TABLE_NAMES[kind], copies);
  file.exec('COMMIT');
  file.close();
  flush(path);
};
