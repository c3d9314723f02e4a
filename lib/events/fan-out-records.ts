import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import { fanOut, type FanOutDependencies } from './fan-out.ts';
import { type SetAside, setRecordAside } from './set-aside.ts';
import type { LoggedEvent } from './store-event.ts';
import { respondTo } from './stream-batch.ts';
import { parseEventRecord } from './stream-records.ts';

export interface FanOutRecordsDependencies extends FanOutDependencies {
  readonly setAside: SetAside;
  readonly now: Clock;
}

/**
 * Fans out the events of a batch of records of the stream of the table `events`. A record that cannot be handled is set
 * aside, and blocks none behind it.
 */
export const fanOutRecords =
  (dependencies: FanOutRecordsDependencies) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const { setAside } = dependencies;
    const recordOf = new Map<LoggedEvent, DynamoDBRecord>();
    for (const record of Records) {
      const parsed = parseEventRecord(record);
      if (parsed.kind === 'valid') recordOf.set(parsed.value, record);
      if (parsed.kind !== 'malformed') continue;
      // oxlint-disable-next-line no-await-in-loop -- rare
      await setRecordAside(setAside, parsed.kind, record);
    }
    const { handled, rejected, outage } = await fanOut([...recordOf.keys()], dependencies);
    for (const { event, error } of rejected) {
      const record = recordOf.get(event);
      // oxlint-disable-next-line no-await-in-loop -- rare
      if (record) await setRecordAside(setAside, 'rejected', record, error);
    }
    const records = [...recordOf.values()];
    return respondTo(records, { handled, outage }, dependencies);
  };
