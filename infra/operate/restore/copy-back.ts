import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createErasureSchedule, keptSince } from '../../../lib/buyers/erasure-schedule.ts';
import { awaitsErasure } from '../../../lib/buyers/erased-cart.ts';
import { createErasureLedger } from '../../../lib/buyers/erasure-ledger.ts';
import type { RawItem } from '../../../lib/core/batch-get.ts';
import { isTransactionConflict } from '../../../lib/core/errors.ts';
import { inParallel } from '../../../lib/core/in-parallel.ts';
import { counted } from '../../counted.ts';
import { keyNamesOf } from '../../tables.ts';
import type { Host } from '../options.ts';
import { showProgress } from '../progress.ts';
import { pausesOf } from '../queues.ts';
import { SCAN_SEGMENTS } from '../scan-tables.ts';
import { scanInSegments } from '../segmented-scan.ts';
import { personalDataDaysOf } from '../buyers/schedule-erasures.ts';
import type { Stage } from '../stage.ts';
import { findEndedSince } from './ended-since.ts';
import { keyText, readSameKeys } from './raw-items.ts';
import type { RestorableTable } from './restorable-tables.ts';
import { type Circumstances, judgeOf, type Verdict } from './verdict.ts';

/** A copy of items from a restored table to the live one. */
export interface CopyBack {
  readonly table: RestorableTable;
  /** The name of the restored table. */
  readonly from: string;
  /** The time of the state in the restored table. */
  readonly atMs: number;
  /** Whether items that differ are replaced. */
  readonly all: boolean;
  /** Whether nothing is written. */
  readonly dryRun: boolean;
}

/** The items of the restored table by the verdicts on them, and the copies. */
export type Counts = Readonly<
  Record<'items' | Verdict['outcome'] | 'copied' | 'erasedAgain' | 'overtaken', number>
>;

const PAGE_SIZE = 100;

/**
 * About 1,200 carts of 650 bytes a second. Each costs a read unit of the live table, another one of the ledger, and at most a
 * write unit per KB.
 */
const UNITS_PER_SECOND = 100;

const WRITES_AT_ONCE = 10;

type Copy = Extract<Verdict, { readonly item: RawItem }>;

const isCopy = (verdict: Verdict, all: boolean): verdict is Copy =>
  verdict.outcome === 'missing' || verdict.outcome === 'unerased' || (all && verdict.outcome === 'different');

/** Writes a copy. Returns `false` if another writer was first. */
const put = async (
  { documents, tableNames }: Stage,
  table: RestorableTable,
  { item, condition }: Copy,
): Promise<boolean> => {
  const input = { TableName: tableNames[table], Item: { ...item }, ...condition };
  try {
    await documents.send(new PutItemCommand(input));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || isTransactionConflict(error)) return false;
    throw error;
  }
};

/** The ids of those carts whose erasure the ledger has. */
const findErasures = async (
  { documents, tableNames }: Stage,
  carts: readonly RawItem[],
): Promise<Circumstances['hasErasure']> => {
  const ids = carts.flatMap(({ id }) => (id?.S === undefined ? [] : [id.S]));
  const erased = await createErasureLedger(documents, tableNames.erasures).find(ids);
  return (cartId) => erased.has(cartId);
};

/** Creates the function that judges the items of a page. */
const createJudgement = async (
  host: Host,
  stage: Stage,
  { table, atMs }: CopyBack,
): Promise<(items: readonly RawItem[]) => Promise<readonly Verdict[]>> => {
  const keyNames = keyNamesOf(table);
  const hasCarts = table === 'carts' || table === 'testCarts';
  const ended = await findEndedSince(stage, table, atMs);
  const judge = judgeOf(table);
  const personalDataDays = personalDataDaysOf(stage);
  return async (items) => {
    const live = await readSameKeys(stage.documents, stage.tableNames[table], keyNames, items);
    const liveOf = (item: RawItem) => live.get(keyText(item, keyNames));
    const nowMs = host.now();
    const circumstances = {
      nowMs,
      ended,
      hasErasure: await findErasures(stage, hasCarts ? items : []),
      keptSinceMs: keptSince(personalDataDays, nowMs),
    };
    return items.map((item) => judge(item, liveOf(item), circumstances));
  };
};

/** Writes copies. Returns how many it wrote: another writer may be first. */
const writeCopies = async (
  stage: Stage,
  table: RestorableTable,
  copies: readonly Copy[],
): Promise<number> => {
  const schedule = createErasureSchedule(stage.documents, stage.tableNames.due);
  // Before the copy, so that a crash loses no erasure. The run of erasures skips a missing cart.
  const carts = copies.flatMap(({ cart }) => (cart ? [cart] : []));
  await schedule.put(carts.filter(awaitsErasure));
  let copied = 0;
  await inParallel(copies, WRITES_AT_ONCE, async (copy) => {
    if (await put(stage, table, copy)) copied += 1;
  });
  return copied;
};

const NO_COUNTS: Counts = {
  items: 0,
  same: 0,
  missing: 0,
  different: 0,
  unerased: 0,
  stays: 0,
  ended: 0,
  expired: 0,
  malformed: 0,
  copied: 0,
  erasedAgain: 0,
  overtaken: 0,
};

/**
 * Compares a restored table with the live one, and copies back missing items, or also items that differ. The copy of an
 * expired cart causes no event about its expiry. No copy has a buyer's data that was erased since, and carts of the live table
 * that have such data again are erased again. A repetition copies the rest.
 *
 * @throws OperatorError if the audit log of a deployed stage cannot be read
 * @throws when DynamoDB is slow, throttles or is down
 */
export const copyBack = async (host: Host, stage: Stage, restore: CopyBack): Promise<Counts> => {
  const { all, dryRun, table, from } = restore;
  const judge = await createJudgement(host, stage, restore);
  const counts = { ...NO_COUNTS };
  const handle = async (items: readonly RawItem[]): Promise<void> => {
    const verdicts = await judge(items);
    for (const { outcome } of verdicts) counts[outcome] += 1;
    const copies = verdicts.filter((verdict) => isCopy(verdict, all));
    counts.items += items.length;
    counts.erasedAgain += copies.filter(({ isErasedAgain }) => isErasedAgain).length;
    if (dryRun) return;
    const copied = await writeCopies(stage, table, copies);
    counts.copied += copied;
    counts.overtaken += copies.length - copied;
  };
  const progress = showProgress(host);
  try {
    await scanInSegments(
      stage.documents,
      {
        scan: { TableName: from, Limit: PAGE_SIZE },
        raw: true,
        segments: SCAN_SEGMENTS,
        unitsPerSecond: UNITS_PER_SECOND,
      },
      {
        handle: (items) => handle(items as readonly RawItem[]),
        report: (scanned) => progress.begin(`Compared ${counted(scanned, 'item')}`),
      },
      pausesOf(host),
    );
  } finally {
    progress.end();
  }
  return counts;
};
