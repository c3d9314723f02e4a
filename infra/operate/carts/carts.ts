import { duplicatePaymentIds, statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import { cartScan, type ListedCart } from '../../../lib/carts/cart-scan.ts';
import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { minorUnitsText, toMinorUnits } from '../../../lib/products/price.ts';
import { describeAmount } from '../../describe-price.ts';
import type { Action, Context, OptionsOf } from '../command.ts';
import { type Columns, isoTime, minuteOf, statusPart, table } from '../output.ts';
import { type ScanPosition, scanTables } from '../scan.ts';
import { readCartTimeline } from './cart-timeline.ts';
import { type CARTS, cartTablesOf, formatCursor } from './commands.ts';

/** A cart as its merchant retrieves it, with the fields that only operators see. */
export const cartJson = (cart: Cart, nowMs: number) => {
  const { storeId, mode, redirectUrl: returnUrl } = cart;
  return { ...viewRetrievedCart(cart, nowMs), storeId, mode, returnUrl };
};

/** The line of a duplicate payment, with the operator's next step. */
const describeDuplicate = (cart: Cart, paymentId: string): string => {
  const { amount, currency } = cart.price;
  const left = unitsLeft(cart, paymentId);
  if (left <= 0n) return `Duplicate payment ${paymentId}: refunded`;
  const rest =
    left < toMinorUnits(amount, currency) ? `, ${minorUnitsText(left, currency)} ${currency} are left` : '';
  return `Duplicate payment ${paymentId}: refund it${rest}`;
};

export const show: Action<typeof CARTS.show> = async ({ cart }, context) => {
  const timeline = await readCartTimeline(cart, context);
  const nowMs = context.now();
  const view = viewRetrievedCart(cart, nowMs);
  const { status, price, expiresAt, paymentId, latePayment, refundedAmount, failureReason } = view;
  const duplicates = duplicatePaymentIds(cart);
  return {
    json: {
      ...cartJson(cart, nowMs),
      duplicatePaymentIds: duplicates,
      timeline: timeline.map(({ json }) => json),
    },
    lines: [
      [
        `Cart ${cart.id} of ${cart.storeId}, ${cart.mode} mode: `,
        statusPart(status),
        failureReason === undefined ? '' : ` (${failureReason})`,
        latePayment ? ', paid late' : '',
      ],
      `Product ${cart.productId} (${cart.productName}), ${describeAmount(price)}`,
      `Expires ${expiresAt}${paymentId === undefined ? '' : `, payment ${paymentId}`}`,
      ...(refundedAmount === undefined
        ? []
        : [`Refunded ${describeAmount({ ...price, amount: refundedAmount })}`]),
      ...duplicates.map((duplicate) => describeDuplicate(cart, duplicate)),
      ...timeline.map(({ atMs, text }) => `  ${isoTime(atMs)}  ${text}`),
    ],
  };
};

/** A listed cart with its status at a time. */
type ShownCart = Omit<ListedCart, 'status'> & ReturnType<typeof statusAt>;

const columnsOf = (store: string | undefined): Columns<ShownCart> => ({
  ID: ({ id }) => id,
  ...(store === undefined && { STORE: ({ storeId }: ShownCart) => storeId }),
  MODE: ({ mode }) => mode,
  STATUS: ({ status }) => statusPart(status),
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
  PRODUCT: ({ productId }) => productId,
  PRICE: ({ price }) => describeAmount(price),
});

/** The items of a page: few enough for it to end soon, with carts of 1 KB about 60 read units. */
const PAGE_SIZE = 500;

/** Reads carts from the cursor, or from the beginning. Ctrl-C ends the read early. */
const readCarts = async (
  { store, mode, status, since, until, limit, cursor }: OptionsOf<typeof CARTS.list>,
  context: Context,
  nowMs: number,
) => {
  const { stage, stopSignal } = context;
  const tables = cartTablesOf(mode);
  const filter = { storeId: store, mode, status, sinceMs: since, untilMs: until, nowMs };
  const scans = tables.map((each) => ({
    input: { ...cartScan(stage.tableNames[each], filter), Limit: PAGE_SIZE },
  }));
  const stop = stopSignal();
  const carts: ListedCart[] = [];
  let end: ScanPosition = { table: 0 };
  for await (const page of scanTables(context, scans, { step: 'Reading', from: cursor })) {
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

export const list: Action<typeof CARTS.list> = async (options, context) => {
  const nowMs = context.now();
  const { carts: read, cursor } = await readCarts(options, context, nowMs);
  const carts = read
    .map((cart): ShownCart => ({ ...cart, ...statusAt(cart, nowMs) }))
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  const lines = table(context.stdout, columnsOf(options.store), carts, 'No such carts were found.');
  if (cursor !== undefined) lines.push(`There may be more: repeat the command with --cursor ${cursor}`);
  return { json: { carts, cursor }, lines };
};
