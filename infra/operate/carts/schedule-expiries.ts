import type { Command } from 'commander';
import { scanPages } from '../../../lib/dynamodb-pages.ts';
import { type ExpiringCart, scheduleExpiries } from '../../../lib/carts/expiry-schedule.ts';
import { createDueStore } from '../../../lib/due/due-store.ts';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, parseTime, stageCommand } from '../options.ts';
import { isoTime, print } from '../output.ts';
import { pausesOf } from '../queues.ts';
import { findStage, type Stage } from '../stage.ts';

interface ScheduleFlags extends CommonFlags {
  /** In milliseconds since the epoch. */
  readonly since?: number;
}

/** With the pause, at most 5,000 carts a second: about 600 read units for carts of 1 KB. A new table serves 12,000. */
const PAGE_SIZE = 500;
const PAUSE_MS = 100;

/** Unpaid carts whose abandonment is not recorded, and that expire after a time. */
const expiringAfter = (tableName: string, sinceMs: number) => ({
  TableName: tableName,
  Limit: PAGE_SIZE,
  FilterExpression:
    '#status = :waiting AND expiresAtMs > :since AND attribute_not_exists(abandonmentRecordedAtMs)',
  ProjectionExpression: 'id, #mode, expiresAtMs',
  ExpressionAttributeNames: { '#status': 'status', '#mode': 'mode' },
  ExpressionAttributeValues: { ':waiting': 'waiting_payment', ':since': sinceMs },
});

const scheduleAll = async (host: Host, { documents, tableNames }: Stage, sinceMs: number) => {
  const due = createDueStore(documents, tableNames.due, host.now);
  const scheduled = { live: 0, test: 0 };
  // An earlier release stored test carts in the table of live mode.
  for (const table of [tableNames.carts, tableNames.testCarts]) {
    for await (const { Items = [] } of scanPages(documents, expiringAfter(table, sinceMs))) {
      const carts = Items as ExpiringCart[];
      await scheduleExpiries(carts, due);
      for (const { mode } of carts) scheduled[mode] += 1;
      await pausesOf(host).sleep(PAUSE_MS);
    }
  }
  return scheduled;
};

const scheduleCarts = async (host: Host, { since, json, ...flags }: ScheduleFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const sinceMs = since ?? host.now();
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
    `Scheduled the expiries of ${live} live and ${test} test carts. Each unpaid one becomes a cart.abandoned when it expires.`,
  ]);
};

const HELP = `
Examples:
  npm run operate -- carts schedule-expiries --stage prod
  npm run operate -- carts schedule-expiries --since 2026-11-20T14:00:00Z --stage prod

A stage schedules the expiries of its new carts. Run this command once after the first deployment with events: carts that
were created more than a day before would expire without an event. Run it with --since after an outage of
ScheduleExpiries that was longer than a day. A cart that is scheduled twice has one event.
It reads the whole tables of carts, at most 5,000 carts a second: DynamoDB charges for every item.`;

/** `carts schedule-expiries`: schedules the expiries of stored carts that are no longer in the streams of their tables. */
export const scheduleExpiriesCommand = (host: Host): Command =>
  stageCommand('schedule-expiries', 'schedule the expiries of carts of an earlier release', HELP)
    .option('--since <time>', 'also carts that have expired since then; default: now', parseTime)
    .action((flags: ScheduleFlags) => scheduleCarts(host, flags));
