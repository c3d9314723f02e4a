import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { write } from '../command-line.ts';
import { counted } from '../counted.ts';
import type { Host } from './options.ts';
import type { Stage } from './stage.ts';

/** The bytes that one read unit covers in an eventually consistent scan. */
const BYTES_PER_READ_UNIT = 8_192;

/** The list price of us-east-1, in November 2026. */
export const USD_PER_MILLION_READ_UNITS = 0.125;

/** The rate of a scan: a third of what one partition of a table serves, so that requests keep theirs. */
export const READ_UNITS_PER_SECOND = 1_000;

/** The text for a number of read units, with their price. */
export const describeReadUnits = (readUnits: number): string => {
  const usd = (readUnits * USD_PER_MILLION_READ_UNITS) / 1e6;
  const price = usd < 0.01 ? 'less than $0.01' : `$${usd.toFixed(2)}`;
  return `${counted(readUnits, 'read unit')}, ${price}`;
};

/**
 * States the cost of a scan of whole tables on standard error, before it begins.
 *
 * @param upTo `at most` if the scan may end early
 * @returns how many items the tables have. DynamoDB counts them every six hours
 */
export const sayScanCost = async (
  { stderr }: Pick<Host, 'stderr'>,
  { documents }: Pick<Stage, 'documents'>,
  tableNames: readonly string[],
  upTo: '' | 'at most ' = '',
): Promise<number> => {
  const tables = await Promise.all(
    tableNames.map((TableName) => documents.send(new DescribeTableCommand({ TableName }))),
  );
  const sum = (field: 'ItemCount' | 'TableSizeBytes'): number =>
    tables.reduce((total, { Table }) => total + (Table?.[field] ?? 0), 0);
  const items = sum('ItemCount');
  const readUnits = Math.max(1, Math.ceil(sum('TableSizeBytes') / BYTES_PER_READ_UNIT));
  await write(
    stderr,
    `Reads ${upTo}about ${counted(items, 'item')}: ${describeReadUnits(readUnits)}. DynamoDB counts a table every six hours.\n`,
  );
  return items;
};
