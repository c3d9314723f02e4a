import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Mode, MODES } from '../../../lib/core/mode.ts';
import { type CartFilter, createCartArchive, type ListedCart } from '../../../lib/carts/cart-archive.ts';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { CART_STATUSES, type CartStatus } from '../../../lib/carts/cart.ts';
import { UsageError } from '../../command-line.ts';
import { type CommonFlags, type Host, parseCount, parseId, parseTime, stageCommand } from '../options.ts';
import { type Columns, isoTime, minuteOf, print, table } from '../output.ts';
import { showProgress } from '../progress.ts';
import { pausesOf } from '../queues.ts';
import { READ_UNITS_PER_SECOND, sayScanCost } from '../scan-cost.ts';
import { findStage, type Stage } from '../stage.ts';
import { assertStore } from '../stores/known-store.ts';
import { cartTablesOf, formatListCursor, type ListCursor, parseListCursor } from './list-cursor.ts';

interface ListFlags extends CommonFlags {
  readonly store?: string;
  readonly mode?: Mode;
  readonly status?: CartStatus;
  /** In milliseconds since the epoch, as `until`. */
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
  readonly cursor?: ListCursor;
}

/** A cart in the JSON, without its buyer. */
const toJson = (cart: ListedCart, nowMs: number) => {
  const { status, updatedAtMs } = statusAt(cart, nowMs);
  return {
    id: cart.id,
    storeId: cart.storeId,
    mode: cart.mode,
    status,
    createdAt: isoTime(cart.createdAtMs),
    updatedAt: isoTime(updatedAtMs),
    productId: cart.productId,
    price: cart.price,
    paymentId: cart.paymentId,
  };
};

const columnsAt = (nowMs: number, store: string | undefined): Columns<ListedCart> => ({
  ID: ({ id }) => id,
  ...(store === undefined && { STORE: ({ storeId }: ListedCart) => storeId }),
  MODE: ({ mode }) => mode,
  STATUS: (cart) => statusAt(cart, nowMs).status,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
  PRODUCT: ({ productId }) => productId,
  PRICE: ({ price }) => `${price.amount} ${price.currency}`,
});

/** Reads carts from the cursor, or from the beginning. Ctrl-C ends the read early. */
const readPage = async (host: Host, stage: Stage, { limit, cursor, ...flags }: ListFlags, nowMs: number) => {
  const { documents, tableNames } = stage;
  const { store, mode, status, since, until } = flags;
  const tables = cartTablesOf(mode);
  if (cursor && !tables.includes(cursor.table)) {
    throw new UsageError('The cursor belongs to a list with other options: repeat them.');
  }
  const names = tables.map((each) => tableNames[each]);
  const items = await sayScanCost(host, stage, names, 'at most ');
  const progress = showProgress(host);
  progress.begin('Reading');
  const stop = host.stopSignal();
  let scannedItems = 0;
  const filter: CartFilter = { storeId: store, mode, status, sinceMs: since, untilMs: until, nowMs };
  const archive = createCartArchive(documents, names);
  const { carts, next } = await archive
    .page(filter, {
      limit,
      from: cursor && { tableName: tableNames[cursor.table], afterId: cursor.afterId },
      afterCall: async (read) => {
        scannedItems += read.scannedItems;
        progress.update(scannedItems, Math.max(items, scannedItems));
        await pausesOf(host).sleep((read.readUnits / READ_UNITS_PER_SECOND) * 1_000);
        return !stop.aborted;
      },
    })
    .finally(progress.end);
  const nextTable = tables.find((each) => tableNames[each] === next?.tableName);
  return {
    carts: carts.toSorted((a, b) => b.createdAtMs - a.createdAtMs),
    cursor: nextTable && formatListCursor({ table: nextTable, afterId: next?.afterId }),
  };
};

const listCarts = async (host: Host, flags: ListFlags): Promise<void> => {
  const { store, json } = flags;
  const stage = await findStage(flags);
  if (store !== undefined) await assertStore(stage, store);
  const nowMs = host.now();
  const { carts, cursor } = await readPage(host, stage, flags, nowMs);
  await print(host, json, { carts: carts.map((cart) => toJson(cart, nowMs)), cursor }, [
    ...table(host, columnsAt(nowMs, store), carts, 'No such carts were found.', ['PRODUCT']),
    ...(cursor === undefined ? [] : [`There may be more: repeat the command with --cursor ${cursor}`]),
  ]);
};

const LIMIT = { default: 100, max: 10_000 } as const;

const parseLimit = (text: string): number => {
  const limit = parseCount(text);
  if (limit <= LIMIT.max) return limit;
  throw new InvalidArgumentError(`It must be at most ${LIMIT.max}.`);
};

const HELP = `
Examples:
  npm run operate -- carts list --store shop
  npm run operate -- carts list --store shop --mode live --status payment_failed --since 2026-11-20T14:00:00Z --stage prod

It scans the tables of carts until it has found --limit carts. A scan has no order: a page has the first carts that it finds,
the newest of them first. For the newest carts of all, choose a --since late enough that there is no cursor.
Without a cursor, the list is complete. Otherwise, repeat the command with the --cursor that it prints. The pages have each
cart once. Ctrl-C ends the scan, and prints the carts so far with a cursor.
If few carts match, it reads the whole tables, at most ${READ_UNITS_PER_SECOND} read units a second: DynamoDB charges for every item. It
states the cost first.`;

/** `carts list`: lists carts by store, mode, status and time of creation. */
export const listCartsCommand = (host: Host): Command =>
  stageCommand('list', 'list carts; without enough matches, it reads the whole tables', HELP)
    .option('--store <id>', 'only carts of this store', parseId)
    .addOption(new Option('--mode <mode>', 'only carts of this mode').choices(MODES))
    .addOption(new Option('--status <status>', 'only carts of this status').choices(CART_STATUSES))
    .option('--since <time>', 'only carts created then or later, such as 2026-11-20T14:00:00Z', parseTime)
    .option('--until <time>', 'only carts created before', parseTime)
    .option('--limit <number>', `the most carts of a page, up to ${LIMIT.max}`, parseLimit, LIMIT.default)
    .option('--cursor <cursor>', 'continue after the page that printed this cursor', parseListCursor)
    .action((flags: ListFlags) => listCarts(host, flags));
