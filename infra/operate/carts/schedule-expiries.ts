import { type ExpiringCart, scheduleExpiries } from '../../../lib/carts/expiry-schedule.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { counted } from '../../counted.ts';
import type { Context, Run } from '../command.ts';
import { isoTime } from '../output.ts';
import { type ScanContext, scanTables } from '../scan.ts';
import { CART_TABLES } from './cart-tables.ts';
import type { SCHEDULE_EXPIRIES } from './commands.ts';

/** Unpaid carts whose abandonment is not recorded, and that expire after a time. */
const expiringAfter = (TableName: string, sinceMs: number) => ({
  TableName,
  FilterExpression:
    '#status = :waiting AND expiresAtMs > :since AND attribute_not_exists(abandonmentRecordedAtMs)',
  ProjectionExpression: 'id, #mode, expiresAtMs',
  ExpressionAttributeNames: { '#status': 'status', '#mode': 'mode' },
  ExpressionAttributeValues: { ':waiting': 'waiting_payment', ':since': sinceMs },
});

/** Carts that are scheduled together. The more there are, the more of them expire at the same time, and share an entry. */
const CARTS_AT_ONCE = 50_000;

/** Schedules the expiries of all carts that expire after a time. Returns how many carts of each mode it scheduled. */
export const scheduleAll = async (
  context: ScanContext & Pick<Context, 'stage' | 'stores'>,
  sinceMs: number,
  cartsAtOnce: number = CARTS_AT_ONCE,
): Promise<Record<Mode, number>> => {
  const scheduled = { live: 0, test: 0 };
  let batch: ExpiringCart[] = [];
  const scheduleBatch = async (): Promise<void> => {
    const carts = batch;
    batch = [];
    await scheduleExpiries(carts, context.stores.due);
    for (const { mode } of carts) scheduled[mode] += 1;
  };
  const scans = CART_TABLES.map((table) => ({
    input: expiringAfter(context.stage.tableNames[table], sinceMs),
  }));
  for await (const { items } of scanTables(context, scans, { step: 'Reading' })) {
    batch.push(...(items as unknown as readonly ExpiringCart[]));
    if (batch.length >= cartsAtOnce) await scheduleBatch();
  }
  await scheduleBatch();
  return scheduled;
};

export const run: Run<typeof SCHEDULE_EXPIRIES> = async ({ since }, context) => {
  const sinceMs = since ?? context.now();
  const what = `Scheduling the expiries of carts on the stage ${context.stage.name}`;
  await context.confirm(`${what}, which merchants get as cart.abandoned`, 'live');
  const scheduled = await context.change(
    { since: isoTime(sinceMs) },
    () => scheduleAll(context, sinceMs),
    (counts) => counts,
  );
  const { live, test } = scheduled;
  return {
    json: { live, test },
    lines: [
      `Scheduled the expiries of ${counted(live, 'live cart')} and ${counted(test, 'test cart')}. Each unpaid one becomes a cart.abandoned when it expires.`,
    ],
  };
};
