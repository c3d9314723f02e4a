import { type ScheduleRecordsDependencies, scheduleRecords } from '../../lib/carts/schedule-records.ts';
import { createDueStore } from '../../lib/due/due-store.ts';
import { readEnv } from '../../lib/core/env.ts';
import { createSetAside } from '../../lib/events/set-aside.ts';
import { createDocumentClient, createQueueClient } from '../../lib/aws.ts';
import { processClock } from '../../lib/core/process-clock.ts';

const dependencies = (): ScheduleRecordsDependencies => {
  const { dueTable, setAsideQueueUrl } = readEnv(['dueTable', 'setAsideQueueUrl'], process.env);
  const { now } = processClock;
  return {
    due: createDueStore(createDocumentClient({}, processClock), dueTable, now),
    setAside: createSetAside(createQueueClient(), setAsideQueueUrl),
    now,
  };
};

/** Schedules the expiries of new carts, from the streams of their tables. */
export const handler = scheduleRecords(dependencies());
