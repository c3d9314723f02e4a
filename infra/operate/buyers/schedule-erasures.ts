import { IS_NOT_ERASED } from '../../../lib/buyers/erased-cart.ts';
import {
  type CompletedCart,
  createErasureSchedule,
  type ErasureSchedule,
  keptSince,
} from '../../../lib/buyers/erasure-schedule.ts';
import type { Mode } from '../../../lib/core/mode.ts';
import { counted } from '../../counted.ts';
import { CART_TABLES } from '../carts/cart-tables.ts';
import type { Context, Run } from '../command.ts';
import { scanTables } from '../scan.ts';
import type { SCHEDULE_ERASURES } from './commands.ts';
import { personalDataDaysOf } from '../personal-data-days.ts';

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

/** Carts that are scheduled together. The more there are, the more of them share an entry of their day. */
const CARTS_AT_ONCE = 50_000;

/** Reads the tables of carts, and schedules the completed ones. */
const scanCarts = async (
  schedule: Pick<ErasureSchedule, 'put'>,
  keptSinceMs: number,
  context: Context,
): Promise<{ readonly scheduled: Counts; readonly due: Counts }> => {
  const scheduled: Counts = { live: 0, test: 0 };
  const due: Counts = { live: 0, test: 0 };
  let batch: CompletedCart[] = [];
  const scans = CART_TABLES.map((table) => ({ input: completedCarts(context.stage.tableNames[table]) }));
  for await (const { items } of scanTables(context, scans, { step: 'Reading' })) {
    const carts = items as unknown as readonly CompletedCart[];
    for (const { mode, updatedAtMs } of carts) {
      scheduled[mode] += 1;
      if (updatedAtMs < keptSinceMs) due[mode] += 1;
    }
    batch.push(...carts);
    if (batch.length < CARTS_AT_ONCE) continue;
    await schedule.put(batch);
    batch = [];
  }
  await schedule.put(batch);
  return { scheduled, due };
};

const describe = ({ live, test }: Counts): string =>
  `${counted(live, 'live cart')} and ${counted(test, 'test cart')}`;

export const run: Run<typeof SCHEDULE_ERASURES> = async ({ dryRun }, context) => {
  const { stage, now, confirm, change } = context;
  const personalDataDays = personalDataDaysOf(stage);
  const days = counted(personalDataDays, 'day');
  const scan = (schedule: Pick<ErasureSchedule, 'put'>) =>
    scanCarts(schedule, keptSince(personalDataDays, now()), context);
  const scheduleAll = async () => {
    const action = `Scheduling the erasure of buyers' data on the stage ${stage.name} (within minutes for carts completed more than ${days} ago)`;
    await confirm(action, 'live');
    const make = () => scan(createErasureSchedule(stage.documents, stage.tableNames.due));
    return change({ personalDataDays }, make, ({ scheduled }) => scheduled);
  };
  const found = dryRun ? await scan({ put: () => Promise.resolve() }) : await scheduleAll();
  return {
    json: { ...(dryRun && { dryRun }), personalDataDays, ...found },
    lines: [
      `${dryRun ? 'Would schedule' : 'Scheduled'} the erasure of buyers' data of ${describe(found.scheduled)}, ${days} after the completion of each.`,
      `Older than that: ${describe(found.due)}. The stage erases their data at once.`,
    ],
  };
};
