import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isTransactionConflict } from '../../../lib/aws/errors.ts';
import { inParallel, WRITES_AT_ONCE } from '../../../lib/core/in-parallel.ts';
import { batchGet, type RawItem } from '../../../lib/database/batch-get.ts';
import { tookEffect } from '../../../lib/database/conditional-writes.ts';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { isIdempotencySecret } from '../../../lib/idempotency/idempotency-secret.ts';
import { reportsId } from '../../../lib/operators/manual-report-repository.ts';
import { claimId } from '../../../lib/payments/payment-record-repository.ts';
import { keyNamesOf, tableKindOf } from '../../stage/tables.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import { readAuditLog } from '../frame/audit-log.ts';
import type { OptionsOf } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { scanTables } from '../shared/scan.ts';
import type { Stage } from '../target/stage.ts';
import { ENDINGS, hasCarts, mayReplace, type RestorableTable, type RESTORE } from './commands.ts';
import { type Copy, COUNTED, idOf, judge } from './verdict.ts';

type Options = OptionsOf<typeof RESTORE.items>;

/** The number of items of the restored table, and of those that {@link COUNTED} describes. */
export type Counts = Readonly<Record<'items' | keyof typeof COUNTED, number>>;

const PAGE_SIZE = 100;

/**
 * About 1,200 carts of 650 bytes a second. Each costs a read unit of the live table, another one of the ledger, and at most a
 * write unit per KB.
 */
const UNITS_PER_SECOND = 100;

/** Writes a copy. Returns `false` if another writer was first. */
const writeCopy = async (
  { documents, tableNames }: Stage,
  table: RestorableTable,
  { item, condition }: Copy,
): Promise<boolean> => {
  const put = new PutItemCommand({
    TableName: tableNames[tableKindOf(table)],
    Item: { ...item },
    ...condition,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    return await tookEffect(documents.send(put), unmarshall(item));
  } catch (error) {
    if (isTransactionConflict(error)) return false;
    throw error;
  }
};

/** The clocks of operators differ by less. */
const CLOCK_ERROR_MS = 60_000;

/**
 * Finds the keys, endpoints and secrets that operators revoked, removed or rotated since a time. It reads the audit log of the
 * stage, because the items themselves may be lost. The local stage has none.
 *
 * @throws OperatorError if the audit log of a deployed stage cannot be read
 */
const findEndedSince = async (
  stage: Stage,
  table: RestorableTable,
  sinceMs: number,
): Promise<ReadonlySet<string>> => {
  const endings: Readonly<Record<string, string>> = ENDINGS[table];
  if (mayReplace(table) || stage.isLocal) return new Set();
  const { records } = await readAuditLog(stage, sinceMs - CLOCK_ERROR_MS);
  const ids = records.flatMap(({ command, ids: begun, result = {} }) => {
    const field = endings[command];
    return field === undefined ? [] : [{ ...begun, ...result }[field] ?? []].flat();
  });
  return new Set(ids.map(String));
};

const judgeAll = async (
  items: readonly RawItem[],
  { table, all }: Options,
  ended: ReadonlySet<string>,
  { stage: { documents, tableNames }, repositories, now }: Context,
) => {
  const kind = tableKindOf(table);
  const keyOf = (item: RawItem): RawItem =>
    Object.fromEntries(keyNamesOf(kind).map((name) => [name, item[name] as AttributeValue]));
  const live = await batchGet(documents, tableNames[kind], items.map(keyOf));
  const byId = new Map(live.map((item) => [idOf(table, item), item]));
  const erased = await repositories.erasures.find(
    hasCarts(table) ? items.map((item) => idOf(table, item)) : [],
  );
  const hasErasure = (cartId: string) => erased.has(cartId);
  const circumstances = { all, nowMs: now(), ended, hasErasure };
  return items.map((item) => judge(table, item, byId.get(idOf(table, item)), circumstances));
};

/**
 * Reads a cart, the claims of its payments and the reports about it from a restored table.
 *
 * @throws OperatorError if the table lacks the cart
 */
const readCart = async (
  documents: DocumentClient,
  tableName: string,
  cartId: string,
): Promise<readonly RawItem[]> => {
  const read = (ids: readonly string[]): Promise<readonly RawItem[]> =>
    batchGet(
      documents,
      tableName,
      ids.map((id) => ({ id: { S: id } })),
    );
  const [cart] = await read([cartId]);
  if (!cart) {
    throw new OperatorError(`The restored table ${tableName} has no cart ${cartId}: choose another time.`);
  }
  const paymentIds = new Set(cart['payments']?.L?.flatMap(({ M }) => M?.['paymentId']?.S ?? []));
  const others = await read([...[...paymentIds].map(claimId), reportsId(cartId)]);
  // A failed payment has no claim. Another cart may have the claim of the same id.
  return [cart, ...others.filter(({ cartId: owner }) => owner?.S === cartId)];
};

/** Reads the items of the restored table, or those of one cart. */
const pagesOf = async ({ from, cart }: Options, context: Context) => {
  if (cart !== undefined) return [{ items: await readCart(context.stage.documents, from, cart) }];
  context.say(
    'Besides its scan, the comparison takes about two read units for each cart, or one for any other item.',
  );
  return scanTables(context, [{ input: { TableName: from, Limit: PAGE_SIZE } }], {
    step: 'Comparing',
    isRaw: true,
    unitsPerSecond: UNITS_PER_SECOND,
  });
};

/**
 * Compares the restored table with the live one, and copies back missing items, or also items that differ. The copy of an
 * expired cart causes no event about its expiry. No copy has a buyer's data that was erased since, and carts of the live table
 * that have such data again are erased again. A repetition copies the rest. A dry run counts what it would copy.
 *
 * @throws OperatorError if the audit log of a deployed stage cannot be read, or if the restored table lacks the only cart
 * @throws when DynamoDB is slow, throttles or is down
 */
export const copyBack = async (options: Options, context: Context): Promise<Counts> => {
  const { dryRun, table } = options;
  const ended = await findEndedSince(context.stage, table, options.at);
  const names = ['items', ...Object.keys(COUNTED)];
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<keyof Counts, number>;
  for await (const page of await pagesOf(options, context)) {
    const read = page.items as readonly RawItem[];
    // The stage's own secrets are for the functions alone. A stage that lost one makes another.
    const items = read.filter(({ id }) => !isIdempotencySecret(id?.S));
    const verdicts = await judgeAll(items, options, ended, context);
    for (const { outcome } of verdicts) counts[outcome] += 1;
    const copies = verdicts.flatMap(({ copy }) => copy ?? []);
    counts.items += items.length;
    counts.erasedAgain += copies.filter(({ isErasedAgain }) => isErasedAgain).length;
    await inParallel(copies, WRITES_AT_ONCE, async (copy) => {
      const isCopied = dryRun || (await writeCopy(context.stage, table, copy));
      counts[isCopied ? 'copied' : 'overtaken'] += 1;
    });
  }
  return counts;
};
