import type { Command } from 'commander';
import type { Mode } from '../../../lib/core/mode.ts';
import { IS_NOT_ERASED } from '../../../lib/buyers/erased-cart.ts';
import {
  CARTS_PER_ENTRY,
  type CompletedCart,
  createErasureSchedule,
  entryGroupOf,
  type ErasureSchedule,
  keptSince,
} from '../../../lib/buyers/erasure-schedule.ts';
import { counted } from '../../counted.ts';
import { PERSONAL_DATA_DAYS } from '../../stages.ts';
import { recordChange } from '../audit/record.ts';
import { CART_TABLES } from '../carts/list-cursor.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, stageCommand, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { READ_UNITS_PER_SECOND } from '../scan-cost.ts';
import { scanTables } from '../scan-tables.ts';
import { requireOutput } from '../stack-outputs.ts';
import { findStage, type Stage } from '../stage.ts';

interface ScheduleFlags extends CommonFlags, YesFlag {
  readonly dryRun?: true;
}

/** Completed carts of each mode. */
type Counts = Record<Mode, number>;

/** Completed carts whose personal data is not erased. The claim of a payment has no status. */
const completedCarts = (TableName: string) => ({
  TableName,
  FilterExpression: `#status = :completed AND ${IS_NOT_ERASED}`,
  ProjectionExpression: 'id, #mode, updatedAtMs',
  ExpressionAttributeNames: { '#status': 'status', '#mode': 'mode' },
  ExpressionAttributeValues: { ':completed': 'completed' },
});

/** Collects carts by mode and day of completion, so that an entry of the schedule has many. */
const createBatches = ({ put }: Pick<ErasureSchedule, 'put'>) => {
  const groups = new Map<string, CompletedCart[]>();
  return {
    async add(carts: readonly CompletedCart[]): Promise<void> {
      for (const cart of carts) {
        const group = entryGroupOf(cart);
        const batch = groups.get(group) ?? [];
        groups.set(group, batch);
        batch.push(cart);
        if (batch.length < CARTS_PER_ENTRY) continue;
        groups.delete(group);
        await put(batch);
      }
    },
    async end(): Promise<void> {
      await put([...groups.values()].flat());
      groups.clear();
    },
  };
};

/** How many days the stage keeps the personal data of a completed cart. */
export const personalDataDaysOf = ({ outputs, name }: Stage): number =>
  outputs ? Number(requireOutput(outputs, 'PersonalDataDays', name)) : PERSONAL_DATA_DAYS;

/** Reads the tables of carts, and schedules the completed ones. */
const scanCarts = async (
  host: Host,
  stage: Stage,
  schedule: Pick<ErasureSchedule, 'put'>,
  keptSinceMs: number,
): Promise<{ readonly scheduled: Counts; readonly due: Counts }> => {
  const scheduled: Counts = { live: 0, test: 0 };
  const due: Counts = { live: 0, test: 0 };
  const batches = createBatches(schedule);
  const scans = CART_TABLES.map((table) => completedCarts(stage.tableNames[table]));
  await scanTables(host, stage, 'Reading', scans, async (items) => {
    const carts = items as unknown as readonly CompletedCart[];
    for (const { mode, updatedAtMs } of carts) {
      scheduled[mode] += 1;
      if (updatedAtMs < keptSinceMs) due[mode] += 1;
    }
    await batches.add(carts);
  });
  await batches.end();
  return { scheduled, due };
};

const describe = ({ live, test }: Counts): string =>
  `${counted(live, 'live cart')} and ${counted(test, 'test cart')}`;

const NO_SCHEDULE: Pick<ErasureSchedule, 'put'> = { put: () => Promise.resolve() };

const scheduleErasures = async (host: Host, { json, dryRun, ...flags }: ScheduleFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const personalDataDays = personalDataDaysOf(stage);
  if (!dryRun) {
    const action = `Scheduling the erasure of buyers' data on the stage ${stage.name} (within minutes for carts completed more than ${counted(personalDataDays, 'day')} ago)`;
    await confirmLive(host, action, { mode: 'live', ...flags });
  }
  const keptSinceMs = keptSince(personalDataDays, host.now());
  const scan = (schedule: Pick<ErasureSchedule, 'put'>) => scanCarts(host, stage, schedule, keptSinceMs);
  const change = { command: 'buyers schedule-erasures', ids: { personalDataDays } };
  const found = dryRun
    ? await scan(NO_SCHEDULE)
    : await recordChange(
        host,
        stage,
        change,
        () => scan(createErasureSchedule(stage.documents, stage.tableNames.due)),
        ({ scheduled }) => scheduled,
      );
  const { scheduled, due } = found;
  await print(host, json, { ...(dryRun && { dryRun }), personalDataDays, ...found }, [
    `${dryRun ? 'Would schedule' : 'Scheduled'} the erasure of buyers' data of ${describe(scheduled)}, ${counted(personalDataDays, 'day')} after the completion of each.`,
    `Older than that: ${describe(due)}. The stage erases their data at once.`,
  ]);
};

const HELP = `
Examples:
  npm run operate -- buyers schedule-erasures --stage prod --dry-run
  npm run operate -- buyers schedule-erasures --stage prod

A stage erases the personal data of a completed cart by itself, after its personalDataDays. It schedules each cart at its
expiry, but an earlier release did not. Run this command once after the upgrade, and after each restore of a table of carts
or of Due. It reads the tables of carts, at most ${READ_UNITS_PER_SECOND} read units a second, and states the cost first. With --dry-run, it
only counts. A repetition is safe, also after an interruption: a cart that is scheduled twice is erased once.`;

/** `buyers schedule-erasures`: schedules the erasures of stored completed carts. */
export const scheduleErasuresCommand = (host: Host): Command =>
  withYes(stageCommand('schedule-erasures', 'schedule the erasures of carts of an earlier release', HELP))
    .option('--dry-run', 'count the carts, and change nothing')
    .action((flags: ScheduleFlags) => scheduleErasures(host, flags));
