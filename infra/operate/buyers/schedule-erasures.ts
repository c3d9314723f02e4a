import { IS_NOT_ERASED } from '../../../lib/buyers/erased-cart.ts';
import {
  CARTS_PER_ENTRY,
  type CompletedCart,
  createErasureSchedule,
  entryGroupOf,
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

/** Reads the tables of carts, and schedules the completed ones. */
const scanCarts = async (
  schedule: Pick<ErasureSchedule, 'put'>,
  keptSinceMs: number,
  context: Context,
): Promise<{ readonly scheduled: Counts; readonly due: Counts }> => {
  const scheduled: Counts = { live: 0, test: 0 };
  const due: Counts = { live: 0, test: 0 };
  const batches = createBatches(schedule);
  const scans = CART_TABLES.map((table) => ({ input: completedCarts(context.stage.tableNames[table]) }));
  for await (const { items } of scanTables(context, scans, { step: 'Reading' })) {
    const carts = items as unknown as readonly CompletedCart[];
    for (const { mode, updatedAtMs } of carts) {
      scheduled[mode] += 1;
      if (updatedAtMs < keptSinceMs) due[mode] += 1;
    }
    await batches.add(carts);
  }
  await batches.end();
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
