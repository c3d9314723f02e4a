import type { Command } from 'commander';
import type { Mode } from '../../../lib/core/mode.ts';
import { type ExpiringCart, scheduleExpiries } from '../../../lib/carts/expiry-schedule.ts';
import { createDueStore } from '../../../lib/due/due-store.ts';
import { counted } from '../../counted.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, parseTime, stageCommand, withYes, type YesFlag } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { READ_UNITS_PER_SECOND } from '../scan-cost.ts';
import { scanTables } from '../scan-tables.ts';
import { findStage, type Stage } from '../stage.ts';
import { CART_TABLES } from './list-cursor.ts';

interface ScheduleFlags extends CommonFlags, YesFlag {
  /** In milliseconds since the epoch. */
  readonly since?: number;
}

/** Unpaid carts whose abandonment is not recorded, and that expire after a time. */
const expiringAfter = (tableName: string, sinceMs: number) => ({
  TableName: tableName,
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
  host: Host,
  stage: Stage,
  sinceMs: number,
  cartsAtOnce: number = CARTS_AT_ONCE,
): Promise<Record<Mode, number>> => {
  const { documents, tableNames } = stage;
  const due = createDueStore(documents, tableNames.due, host.now);
  const scheduled = { live: 0, test: 0 };
  let batch: ExpiringCart[] = [];
  const scheduleBatch = async (): Promise<void> => {
    const carts = batch;
    batch = [];
    await scheduleExpiries(carts, due);
    for (const { mode } of carts) scheduled[mode] += 1;
  };
  const scans = CART_TABLES.map((table) => expiringAfter(tableNames[table], sinceMs));
  await scanTables(host, stage, 'Reading', scans, async (items) => {
    batch.push(...(items as unknown as readonly ExpiringCart[]));
    if (batch.length >= cartsAtOnce) await scheduleBatch();
  });
  await scheduleBatch();
  return scheduled;
};

const scheduleCarts = async (host: Host, { since, json, ...flags }: ScheduleFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const sinceMs = since ?? host.now();
  const action = `Scheduling the expiries of carts on the stage ${stage.name}, which merchants get as cart.abandoned`;
  await confirmLive(host, action, { mode: 'live', ...flags });
  const change = { command: 'carts schedule-expiries', ids: { since: isoTime(sinceMs) } };
  const scheduled = await recordChange(
    host,
    stage,
    change,
    () => scheduleAll(host, stage, sinceMs),
    (counts) => counts,
  );
  const { live, test } = scheduled;
  await print(host, json, scheduled, [
    `Scheduled the expiries of ${counted(live, 'live cart')} and ${counted(test, 'test cart')}. Each unpaid one becomes a cart.abandoned when it expires.`,
  ]);
};

const HELP = `
Examples:
  npm run operate -- carts schedule-expiries --stage prod
  npm run operate -- carts schedule-expiries --since 2026-11-20T14:00:00Z --stage prod

A stage schedules the expiries of its new carts. Run this command once after the first deployment with events: carts that
were created more than a day before would expire without an event. Run it with --since after an outage of
ScheduleExpiries that was longer than a day. A cart that is scheduled twice has one event.
It reads the whole tables of carts, at most ${READ_UNITS_PER_SECOND} read units a second: DynamoDB charges for every item. It states the
cost first.`;

/** `carts schedule-expiries`: schedules the expiries of stored carts that are no longer in the streams of their tables. */
export const scheduleExpiriesCommand = (host: Host): Command =>
  withYes(stageCommand('schedule-expiries', 'schedule the expiries of carts of an earlier release', HELP))
    .option('--since <time>', 'also carts that have expired since then; default: now', parseTime)
    .action((flags: ScheduleFlags) => scheduleCarts(host, flags));
