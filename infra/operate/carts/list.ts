import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { cartScan, type ListedCart } from '../../../lib/carts/cart-scan.ts';
import type { Context, OptionsOf, Action } from '../command.ts';
import { type Columns, minuteOf, table, withIsoTimes } from '../output.ts';
import { type ScanPosition, scanTables } from '../scan.ts';
import { cartTablesOf, formatCursor } from './cart-tables.ts';
import type { CARTS } from './commands.ts';

/** A cart in the JSON, without its buyer. */
const toJson = (cart: ListedCart, nowMs: number) => {
  const { id, storeId, mode, createdAtMs, productId, price, paymentId } = cart;
  const { status, updatedAtMs } = statusAt(cart, nowMs);
  return withIsoTimes({ id, storeId, mode, status, createdAtMs, updatedAtMs, productId, price, paymentId });
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

/** The items of a page: few enough for it to end soon, with carts of 1 KB about 60 read units. */
const PAGE_SIZE = 500;

/** Reads carts from the cursor, or from the beginning. Ctrl-C ends the read early. */
const readCarts = async (
  { store, mode, status, since, until, limit, cursor }: OptionsOf<typeof CARTS.list>,
  context: Context,
  nowMs: number,
): Promise<{ readonly carts: readonly ListedCart[]; readonly cursor: string | undefined }> => {
  const { stage, stopSignal } = context;
  const tables = cartTablesOf(mode);
  const filter = { storeId: store, mode, status, sinceMs: since, untilMs: until, nowMs };
  const scans = tables.map((each) => ({
    input: { ...cartScan(stage.tableNames[each], filter), Limit: PAGE_SIZE },
  }));
  const stop = stopSignal();
  const carts: ListedCart[] = [];
  let end: ScanPosition = { table: 0 };
  for await (const page of scanTables(context, scans, { step: 'Reading', upTo: 'at most ', from: cursor })) {
    const found = page.items as unknown as readonly ListedCart[];
    const taken = found.slice(0, limit - carts.length);
    carts.push(...taken);
    // The next list begins with the first cart that does not fit.
    const after = taken.at(-1) && { id: taken.at(-1)?.id };
    end = taken.length < found.length ? { table: page.table, after } : page.next;
    if (carts.length === limit || stop.aborted) break;
  }
  return { carts, cursor: end.table < tables.length ? formatCursor(end) : undefined };
};

export const run: Action<typeof CARTS.list> = async (options, context) => {
  const nowMs = context.now();
  const { carts, cursor } = await readCarts(options, context, nowMs);
  const sorted = carts.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const lines = table(columnsAt(nowMs, options.store), sorted, 'No such carts were found.', ['PRODUCT']);
  if (cursor !== undefined) lines.push(`There may be more: repeat the command with --cursor ${cursor}`);
  return { json: { carts: sorted.map((cart) => toJson(cart, nowMs)), cursor }, lines };
};
