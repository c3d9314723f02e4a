import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import type { DueSchedule } from '../due/due-entry.ts';
import { isOutage } from '../core/errors.ts';
import { type SetAside, setRecordAside } from '../events/set-aside.ts';
import { respondTo } from '../events/stream-batch.ts';
import { parseCartRecord } from '../events/stream-records.ts';
import { type ExpiringCart, scheduleExpiries } from './expiry-schedule.ts';

export interface ScheduleRecordsDependencies {
  readonly due: DueSchedule;
  readonly setAside: SetAside;
  readonly now: Clock;
}

const functionName = 'schedule-expiries';

interface CartRecord {
  readonly record: DynamoDBRecord;
  readonly cart: ExpiringCart;
}

/** Schedules carts. If one of them fails for a reason of its own, halving finds it, and it is set aside. */
const schedule = async (
  carts: readonly CartRecord[],
  dependencies: ScheduleRecordsDependencies,
): Promise<void> => {
  try {
    await scheduleExpiries(
      carts.map(({ cart }) => cart),
      dependencies.due,
    );
  } catch (error) {
    if (isOutage(error)) throw error;
    const [first, ...others] = carts;
    if (first && others.length === 0) {
      const { record } = first;
      await setRecordAside(dependencies.setAside, { functionName, reason: 'rejected', record }, error);
      return;
    }
    const middle = Math.ceil(carts.length / 2);
    await schedule(carts.slice(0, middle), dependencies);
    await schedule(carts.slice(middle), dependencies);
  }
};

/** The result of {@link schedule}: all carts, or none after an outage. */
const outageOf = async (
  carts: readonly CartRecord[],
  dependencies: ScheduleRecordsDependencies,
): Promise<unknown> => {
  try {
    await schedule(carts, dependencies);
    return undefined;
  } catch (error) {
    return error;
  }
};

/**
 * Schedules the expiries of the carts of a batch of records of the stream of a table of carts. A record that cannot be
 * handled is set aside, and blocks none behind it.
 */
export const scheduleRecords =
  (dependencies: ScheduleRecordsDependencies) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const carts: CartRecord[] = [];
    for (const record of Records) {
      const parsed = parseCartRecord(record);
      if (parsed.kind === 'valid') carts.push({ record, cart: parsed.value });
      if (parsed.kind !== 'malformed') continue;
      // oxlint-disable-next-line no-await-in-loop -- rare
      await setRecordAside(dependencies.setAside, { functionName, reason: parsed.kind, record });
    }
    const outage = await outageOf(carts, dependencies);
    const records = carts.map(({ record }) => record);
    return respondTo(records, { handled: 0, outage }, { ...dependencies, functionName });
  };
