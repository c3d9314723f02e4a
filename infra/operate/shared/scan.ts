import { DescribeTableCommand, ScanCommand as RawScanCommand } from '@aws-sdk/client-dynamodb';
import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Pauses } from '../../../lib/core/retry.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { PRICES } from '../../cost/prices.ts';
import { counted } from '../../terminal/counted.ts';
import { showProgress } from '../../terminal/progress.ts';
import { SCAN_UNITS_PER_SECOND } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';

/** The part of a context that a scan needs. */
export interface ScanContext extends Pick<Context, 'say' | 'stderr'> {
  readonly stage: { readonly documents: DocumentClient };
  readonly pauses: Pick<Pauses, 'sleep'>;
}

/** The bytes that one read unit covers in an eventually consistent scan. */
const BYTES_PER_READ_UNIT = 8_192;

/** States the cost of a scan on standard error. Returns how many items the tables have. */
const sayCost = async (
  { say, stage: { documents } }: ScanContext,
  tableNames: readonly string[],
): Promise<number> => {
  const tables = await Promise.all(
    tableNames.map((TableName) => documents.send(new DescribeTableCommand({ TableName }))),
  );
  const sum = (field: 'ItemCount' | 'TableSizeBytes'): number =>
    tables.reduce((total, { Table }) => total + (Table?.[field] ?? 0), 0);
  const items = sum('ItemCount');
  const readUnits = Math.max(1, Math.ceil(sum('TableSizeBytes') / BYTES_PER_READ_UNIT));
  const usd = (readUnits * PRICES.dynamodbMillionReads) / 1e6;
  const price = usd < 0.01 ? 'less than $0.01' : `$${usd.toFixed(2)}`;
  say(`Scans at most about ${counted(items, 'item')}: ${counted(readUnits, 'read unit')}, ${price}.`);
  say('DynamoDB counts a table every six hours.');
  return items;
};

/** The place of a scan, as JSON. */
export interface ScanPosition {
  /** The index of the table. All tables before it are complete. */
  readonly table: number;
  /** The last key that was read. Absent at the beginning of the table. */
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

export interface TableScan {
  /** The table, and what to read of its items. `Limit` is the most items of a page, by default as many as fit into 1 MB. */
  readonly input: ScanCommandInput;
  /** Called when the scan reaches the table. By default, each table is read. */
  readonly isNeeded?: () => Promise<boolean>;
}

export interface ScanOptions {
  /** The text of the progress, such as `Reading`. */
  readonly step: string;
  /** Default: the beginning of the first table. */
  readonly from?: ScanPosition | undefined;
  /** Whether items come as attribute values, as DynamoDB stores them. */
  readonly isRaw?: true;
  /** The read units that the scan consumes in a second, on average. It waits after each page. */
  readonly unitsPerSecond?: number;
}

/** Reads a page of a table. */
const readPage = (documents: DocumentClient, input: ScanCommandInput, isRaw: true | undefined) =>
  isRaw ? documents.send(new RawScanCommand(input)) : documents.send(new ScanCommand(input));

/**
 * Scans whole tables, one after the other, at a limited rate. It states the cost first, and shows the progress. A scan that
 * continues after an interruption may repeat a page. A page has the index of its table, and where the scan continues.
 *
 * @throws any error of DynamoDB
 */
export async function* scanTables(context: ScanContext, scans: readonly TableScan[], options: ScanOptions) {
  const { step, from = { table: 0 }, isRaw, unitsPerSecond = SCAN_UNITS_PER_SECOND } = options;
  const { documents } = context.stage;
  const names = scans.map(({ input: { TableName = '' } }) => TableName);
  const total = await sayCost(context, names);
  using progress = showProgress(context, step);
  let scanned = 0;
  for (const [table, { input, isNeeded }] of scans.entries()) {
    if (table < from.table || (isNeeded && !(await isNeeded()))) continue;
    let after = table === from.table ? from.after : undefined;
    do {
      const request = { ...input, ExclusiveStartKey: after, ReturnConsumedCapacity: 'TOTAL' } as const;
      const page = await readPage(documents, request, isRaw);
      scanned += page.ScannedCount ?? 0;
      progress.update(scanned, Math.max(total, scanned, 1));
      after = page.LastEvaluatedKey;
      const next: ScanPosition = after ? { table, after } : { table: table + 1 };
      yield { table, items: page.Items ?? [], next };
      const units = page.ConsumedCapacity?.CapacityUnits ?? 0;
      if (after) await context.pauses.sleep((units / unitsPerSecond) * 1_000);
    } while (after);
  }
}
