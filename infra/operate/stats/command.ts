import { type Command, Option } from 'commander';
import { type Mode, MODES } from '../../../lib/core/mode.ts';
import { cartScan, type ListedCart } from '../../../lib/carts/cart-archive.ts';
import {
  type CartCounts,
  conversionOf,
  countCart,
  countOf,
  noCarts,
} from '../../../lib/carts/cart-counts.ts';
import { minorUnitsText } from '../../../lib/products/price.ts';
import { CART_LIFETIME } from '../../stages.ts';
import { cartTablesOf } from '../carts/list-cursor.ts';
import { type CommonFlags, type Host, parseId, parseTime, stageCommand } from '../options.ts';
import { type Columns, isoTime, minuteOf, print, table } from '../output.ts';
import { READ_UNITS_PER_SECOND } from '../scan-cost.ts';
import { scanTables } from '../scan-tables.ts';
import { findStage, type Stage } from '../stage.ts';
import { assertStore } from '../stores/known-store.ts';

interface StatsFlags extends CommonFlags {
  readonly store?: string;
  readonly mode?: Mode;
  /** In milliseconds since the epoch, as `until`. */
  readonly since: number;
  readonly until?: number;
}

type Row = readonly [Mode, CartCounts];

/** Counts the carts of the tables by mode. Only the counts stay in memory. */
const countCarts = async (host: Host, stage: Stage, flags: StatsFlags, nowMs: number): Promise<Row[]> => {
  const { store, mode, since, until } = flags;
  const counts: Readonly<Record<Mode, CartCounts>> = { live: noCarts(), test: noCarts() };
  const filter = { storeId: store, mode, sinceMs: since, untilMs: until, nowMs };
  const scans = cartTablesOf(mode).map((each) => cartScan(stage.tableNames[each], filter));
  await scanTables(host, stage, 'Counting', scans, async (page) => {
    for (const cart of page as unknown as ListedCart[]) countCart(counts[cart.mode], cart, nowMs);
  });
  return MODES.filter((each) => mode === undefined || each === mode).map((each) => [each, counts[each]]);
};

const amountsOf = ({ completedUnits }: CartCounts): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...completedUnits]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, units]) => [currency, minorUnitsText(units, currency)]),
  );

const columnsOf = (isComplete: boolean): Columns<Row> => ({
  MODE: ([mode]) => mode,
  CARTS: ([, counts]) => String(countOf(counts)),
  WAITING: ([, { byStatus }]) => String(byStatus.waiting_payment),
  COMPLETED: ([, { byStatus }]) => String(byStatus.completed),
  FAILED: ([, { byStatus }]) => String(byStatus.payment_failed),
  ABANDONED: ([, { byStatus }]) => String(byStatus.abandoned),
  CONVERSION: ([, counts]) => {
    const conversion = isComplete ? conversionOf(counts) : undefined;
    return conversion === undefined ? '-' : `${(100 * conversion).toFixed(1)} %`;
  },
  'COMPLETED AMOUNTS': ([, counts]) =>
    Object.entries(amountsOf(counts))
      .map(([currency, amount]) => `${amount} ${currency}`)
      .join(', '),
});

const toJson = ([mode, counts]: Row, isComplete: boolean) => ({
  mode,
  carts: countOf(counts),
  waiting: counts.byStatus.waiting_payment,
  completed: counts.byStatus.completed,
  failed: counts.byStatus.payment_failed,
  abandoned: counts.byStatus.abandoned,
  conversion: isComplete ? conversionOf(counts) : undefined,
  completedAmounts: amountsOf(counts),
});

const showStats = async (host: Host, flags: StatsFlags): Promise<void> => {
  const { store, since, until, json } = flags;
  const stage = await findStage(flags, host.clock);
  if (store !== undefined) await assertStore(stage, store);
  const nowMs = host.now();
  const rows = await countCarts(host, stage, flags, nowMs);
  const keptSinceMs = nowMs - CART_LIFETIME.retentionSeconds * 1_000;
  const isComplete = since >= keptSinceMs;
  const result = {
    storeId: store,
    since: isoTime(since),
    until: isoTime(until ?? nowMs),
    stats: rows.map((row) => toJson(row, isComplete)),
  };
  await print(host, json, result, [
    ...table(host, columnsOf(isComplete), rows, ''),
    ...(isComplete
      ? []
      : [
          `The service may have deleted unpaid carts created before ${minuteOf(keptSinceMs)} UTC: there is no conversion.`,
        ]),
  ]);
};

const HELP = `
Examples:
  npm run operate -- stats --store shop --since 2026-11-01T00:00:00Z --stage prod
  npm run operate -- stats --mode live --since 2026-11-01T00:00:00Z --until 2026-11-08T00:00:00Z --stage prod

It counts the carts of the time range by their current status. Conversion is the completed share of all these carts. Sums of
amounts are exact.
The service deletes unpaid carts 30 days after they expire. With an earlier --since, there is no conversion.
It reads the whole tables of carts, at most ${READ_UNITS_PER_SECOND} read units a second: DynamoDB charges for every item. It states the
cost first.`;

/** `stats`: counts carts by status, with their amounts and conversion. */
export const statsCommand = (host: Host): Command =>
  stageCommand('stats', 'count carts by status, with amounts and conversion; reads the whole tables', HELP)
    .option('--store <id>', 'only carts of this store', parseId)
    .addOption(new Option('--mode <mode>', 'only carts of this mode').choices(MODES))
    .requiredOption('--since <time>', 'carts created then or later, such as 2026-11-20T14:00:00Z', parseTime)
    .option('--until <time>', 'carts created before; default: now', parseTime)
    .action((flags: StatsFlags) => showStats(host, flags));
