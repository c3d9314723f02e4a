import { isoTime } from '../../../lib/core/timestamps.ts';
import { minorUnitsText } from '../../../lib/products/price.ts';
import { type Mode, MODES } from '../../../lib/stores/mode.ts';
import { CART_LIFETIME } from '../../stage/stage-config.ts';
import type { OptionsOf, Action } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { by, minuteOf } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { cartScan, cartTablesOf, type ListedCart } from '../shared/cart-scan.ts';
import { scanTables } from '../shared/scan.ts';
import { type CartCounts, conversionOf, countCart, countOf, noCarts, type Sums } from './cart-counts.ts';
import type { STATS } from './commands.ts';

/** Counts the carts of the tables by mode. Only the counts stay in memory. */
const countCarts = async (
  { store, mode, since, until }: OptionsOf<typeof STATS>,
  context: Context,
  nowMs: number,
): Promise<Readonly<Record<Mode, CartCounts>>> => {
  const counts = { live: noCarts(), test: noCarts() };
  const filter = { storeId: store, mode, sinceMs: since, untilMs: until, nowMs };
  const scans = cartTablesOf(mode).map((each) => ({
    input: cartScan(context.stage.tableNames[each], filter),
  }));
  for await (const { items } of scanTables(context, scans, { step: 'Counting' })) {
    for (const cart of items as unknown as readonly ListedCart[]) countCart(counts[cart.mode], cart, nowMs);
  }
  return counts;
};

const amountsOf = (sums: Sums) =>
  Object.fromEntries(
    [...sums]
      .toSorted(by(([currency]) => currency))
      .map(([currency, units]) => [currency, minorUnitsText(units, currency)]),
  );

/** @param isComplete whether no unpaid cart of the time range is deleted: there is no conversion otherwise */
const rowOf = (mode: Mode, counts: CartCounts, isComplete: boolean) => ({
  mode,
  carts: countOf(counts),
  waiting: counts.byStatus.waiting_payment,
  completed: counts.byStatus.completed,
  failed: counts.byStatus.payment_failed,
  abandoned: counts.byStatus.abandoned,
  conversion: isComplete ? conversionOf(counts) : undefined,
  completedAmounts: amountsOf(counts.completedUnits),
  refundedAmounts: amountsOf(counts.refundedUnits),
  netAmounts: amountsOf(counts.netUnits),
});

const amountsText = (amounts: Readonly<Record<string, string>>): string =>
  Object.entries(amounts)
    .map(([currency, amount]) => `${amount} ${currency}`)
    .join(', ') || '-';

const COLUMNS: Columns<ReturnType<typeof rowOf>> = {
  MODE: ({ mode }) => mode,
  CARTS: ({ carts }) => String(carts),
  WAITING: ({ waiting }) => String(waiting),
  COMPLETED: ({ completed }) => String(completed),
  FAILED: ({ failed }) => String(failed),
  ABANDONED: ({ abandoned }) => String(abandoned),
  CONVERSION: ({ conversion }) => (conversion === undefined ? '-' : `${(100 * conversion).toFixed(1)} %`),
  'COMPLETED AMOUNTS': ({ completedAmounts }) => amountsText(completedAmounts),
  REFUNDED: ({ refundedAmounts }) => amountsText(refundedAmounts),
  NET: ({ netAmounts }) => amountsText(netAmounts),
};

export const stats: Action<typeof STATS> = async (options, context) => {
  const { store: storeId, mode, since, until } = options;
  const nowMs = context.now();
  const counts = await countCarts(options, context, nowMs);
  const keptSinceMs = nowMs - CART_LIFETIME.retentionSeconds * 1_000;
  const isComplete = since >= keptSinceMs;
  const rows = MODES.filter((each) => mode === undefined || each === mode).map((each) =>
    rowOf(each, counts[each], isComplete),
  );
  const lines = table(context.stdout, COLUMNS, rows, '');
  if (!isComplete) {
    lines.push(
      `The service may have deleted unpaid carts created before ${minuteOf(keptSinceMs)} UTC: there is no conversion.`,
    );
  }
  return { json: { storeId, since: isoTime(since), until: isoTime(until ?? nowMs), stats: rows }, lines };
};
