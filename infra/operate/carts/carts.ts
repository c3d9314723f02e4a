import { duplicatePaymentIds } from '../../../lib/carts/cart-payments.ts';
import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import { statusAt } from '../../../lib/carts/cart-status.ts';
import { viewRetrievedCart } from '../../../lib/carts/cart-view.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { minorUnitsText } from '../../../lib/products/price.ts';
import { MODES } from '../../../lib/stores/mode.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action, OptionsOf } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { minuteOf } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { isSameEmail, readEmail } from '../shared/buyer-email.ts';
import { cartJson } from '../shared/cart-json.ts';
import { cartScan, cartTablesOf, type ListedCart } from '../shared/cart-scan.ts';
import { statusText } from '../shared/delivery-output.ts';
import { describeAmount } from '../shared/describe-price.ts';
import { type ScanPosition, scanTables } from '../shared/scan.ts';
import { type CARTS, formatScanCursor } from './commands.ts';
import { readTimeline } from './read-timeline.ts';

const describe = (entry: Awaited<ReturnType<typeof readTimeline>>[number]): string => {
  const { what } = entry;
  if (what === 'event') return `event ${entry.type}  ${entry.eventId}`;
  if (what === 'delivery') {
    const { endpointId, attempt, response, error, status, ...state } = entry;
    const made = attempt === undefined ? '' : `  attempt ${attempt}: ${response ?? error}`;
    return `delivery to ${endpointId}${made}${status ? `  ${statusText({ status, ...state })}` : ''}`;
  }
  if ('refund' in entry) {
    const { refundId, paymentId } = entry.refund;
    return `${what}  ${describeAmount(entry.refund)}, payment ${paymentId}, refund ${refundId}`;
  }
  if (!('payment' in entry)) return what;
  const { paymentId, eventId } = entry.payment;
  return `${what}  ${describeAmount(entry.payment)}, payment ${paymentId}, event ${eventId}`;
};

/** The line of a duplicate payment, with the amount that is left to refund. */
const describeDuplicate = (cart: Cart, paymentId: string): string => {
  const { currency } = cart.price;
  const left = unitsLeft(cart, paymentId);
  const rest = left > 0n ? `refund ${minorUnitsText(left, currency)} ${currency}` : 'refunded';
  return `Duplicate payment ${paymentId}: ${rest}`;
};

export const show: Action<typeof CARTS.show> = async ({ cart }, context) => {
  const timeline = await readTimeline(cart, context);
  const nowMs = context.now();
  const view = viewRetrievedCart(cart, nowMs);
  const { status, price, expiresAt, paymentId, latePayment, refundedAmount, failureReason } = view;
  const duplicates = duplicatePaymentIds(cart);
  const reason = failureReason === undefined ? '' : ` (${failureReason})`;
  return {
    json: {
      ...cartJson(cart, nowMs),
      duplicatePaymentIds: duplicates,
      timeline,
    },
    lines: [
      `Cart ${cart.id} of ${cart.storeId}, ${cart.mode} mode: ${status}${reason}${latePayment ? ', paid late' : ''}`,
      `Product ${cart.productId} (${cart.productName}), ${describeAmount(price)}`,
      `Expires ${expiresAt}${paymentId === undefined ? '' : `, payment ${paymentId}`}`,
      ...(refundedAmount === undefined
        ? []
        : [`Refunded ${describeAmount({ ...price, amount: refundedAmount })}`]),
      ...duplicates.map((duplicate) => describeDuplicate(cart, duplicate)),
      ...timeline.map((entry) => `  ${isoTime(entry.atMs)}  ${describe(entry)}`),
    ],
  };
};

/** A listed cart with its status at a time. */
type ShownCart = Omit<ListedCart, 'status'> & ReturnType<typeof statusAt>;

const columnsOf = (store: string | undefined): Columns<ShownCart> => ({
  ID: ({ id }) => id,
  ...(store === undefined && { STORE: ({ storeId }: ShownCart) => storeId }),
  MODE: ({ mode }) => mode,
  STATUS: ({ status }) => status,
  'CREATED (UTC)': ({ createdAtMs }) => minuteOf(createdAtMs),
  PRODUCT: ({ productId }) => productId,
  PRICE: ({ price }) => describeAmount(price),
});

/** The items of a page: few enough for it to end soon, with carts of 1 KB about 60 read units. */
const PAGE_SIZE = 500;

/** Reads carts from the cursor, or from the beginning. Ctrl-C ends the read early. */
const readCarts = async (
  { store, mode, status, since, until, meta, limit, cursor }: OptionsOf<typeof CARTS.list>,
  email: string | undefined,
  context: Context,
  nowMs: number,
) => {
  const { stage, stopSignal } = context;
  const tables = cartTablesOf(mode);
  const range = { sinceMs: since, untilMs: until };
  const filter = { storeId: store, mode, status, ...range, meta, withEmail: email !== undefined, nowMs };
  const scans = tables.map((each) => ({
    input: { ...cartScan(stage.tableNames[each], filter), Limit: PAGE_SIZE },
  }));
  const stop = stopSignal();
  const carts: ListedCart[] = [];
  let end: ScanPosition = { table: 0 };
  for await (const page of scanTables(context, scans, { step: 'Reading', from: cursor })) {
    const items = page.items as unknown as readonly ListedCart[];
    // DynamoDB cannot compare without regard to case.
    const found = items.filter(
      ({ customerInfo }) => email === undefined || isSameEmail(email, customerInfo?.email),
    );
    const taken = found.slice(0, limit - carts.length);
    carts.push(...taken);
    // The next list begins with the first cart that does not fit.
    const after = taken.at(-1) && { id: taken.at(-1)?.id };
    end = taken.length < found.length ? { table: page.table, after } : page.next;
    if (carts.length === limit || stop.aborted) break;
  }
  return { carts, cursor: end.table < tables.length ? formatScanCursor(end) : undefined };
};

/** The result with the carts, the newest first. */
const listed = (
  read: readonly ListedCart[],
  store: string | undefined,
  { stdout, now }: Pick<Context, 'stdout' | 'now'>,
) => {
  const carts = read
    .map((cart): ShownCart => ({ ...cart, ...statusAt(cart, now()) }))
    .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
  return { json: { carts }, lines: table(stdout, columnsOf(store), carts, 'No such carts were found.') };
};

export const list: Action<typeof CARTS.list> = async (options, context) => {
  const email = options.email === undefined ? undefined : await readEmail(options.email, context);
  const { carts: read, cursor } = await readCarts(options, email, context, context.now());
  const { json, lines } = listed(read, options.store, context);
  if (cursor !== undefined) lines.push(`There may be more: repeat the command with --cursor ${cursor}`);
  return { json: { ...json, cursor }, lines };
};

export const find: Action<typeof CARTS.find> = async ({ payment }, context) => {
  const { repositories, say } = context;
  say('Reads the claim of the payment in each mode, and its cart: about 3 read units, less than $0.01.');
  const found = await Promise.all(
    MODES.map(async (mode) => {
      const { carts, claims } = repositories.payments[mode];
      const cartId = await claims.find(payment);
      return cartId === undefined ? undefined : carts.find(cartId);
    }),
  );
  const carts = found.filter((cart) => cart !== undefined);
  if (carts.length > 0) return listed(carts, undefined, context);
  throw new OperatorError(
    `No cart has a successful payment ${payment}. A failed payment claims no cart: use \`carts list --status payment_failed\`.`,
  );
};
