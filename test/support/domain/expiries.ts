import { randomUUID } from 'node:crypto';
import { createExpiryJob } from '../../../lib/carts/expiry/expiry-job.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { runJob, type JobResult } from '../../../lib/timers/run-job.ts';
import type { TimerJob } from '../../../lib/timers/timer-job.ts';
import type { DueItem } from '../../../lib/timers/timer-repository.ts';
import { timerOf, type TimerKind } from '../../../lib/timers/timer.ts';
import type { TestTables } from '../database/database.ts';
import { NEVER } from '../signals.ts';
import { eventLogOf } from './event-logs.ts';

/** The expiries of a test's carts of a mode. */
export const expiryJobOf = (
  { documents, tableNames }: TestTables,
  now: Clock,
  mode: Mode = 'live',
  log = eventLogOf({ documents, tableNames }, now),
): TimerJob => {
  const tableName = mode === 'live' ? tableNames.carts : tableNames.testCarts;
  return createExpiryJob(mode, { documents, tableName, now }, log);
};

/** A run for all carts of a mode that have expired. */
export const runExpiries = (tables: TestTables, now: Clock, mode?: Mode): Promise<JobResult> =>
  runJob(expiryJobOf(tables, now, mode), now, NEVER);

/** A new cart id whose timer is in this shard, such as `expiry#00`. */
export const idInShard = (shard: string): string => {
  const kind = shard.split('#')[0] as TimerKind;
  for (;;) {
    const id = randomUUID();
    if (timerOf(kind, id, 0).timer === shard) return id;
  }
};

/** Hands carts to the job as due, whatever their timers are. Returns how many it recorded as abandoned. */
export const handleExpired = async (job: TimerJob, cartIds: readonly string[]): Promise<number> => {
  const items = cartIds.map((id): DueItem => ({ key: { id }, ...timerOf('expiry', id, 1) }));
  return (await job.handle(items, NEVER)).count;
};
