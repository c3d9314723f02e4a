import type { Cart } from '../../../lib/carts/cart.ts';
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

/** The part of a job for some carts: it reads their shards alone. */
export const partOf = (job: TimerJob, kind: TimerKind, carts: readonly Cart[]): TimerJob => ({
  ...job,
  shards: [...new Set(carts.map(({ id }) => timerOf(kind, id, 0).timer))],
});

/** A run for the carts of a mode that have expired. Default: all */
export const runExpiries = (
  tables: TestTables,
  now: Clock,
  { mode, carts }: { readonly mode?: Mode; readonly carts?: readonly Cart[] } = {},
): Promise<JobResult> => {
  const job = expiryJobOf(tables, now, mode);
  return runJob(carts ? partOf(job, 'expiry', carts) : job, now, NEVER);
};

/** Hands carts to the job as due, whatever their timers are. Returns how many it recorded as abandoned. */
export const handleExpired = async (job: TimerJob, cartIds: readonly string[]): Promise<number> => {
  const items = cartIds.map((id): DueItem => ({ key: { id }, ...timerOf('expiry', id, 1) }));
  return (await job.handle(items, NEVER)).count;
};
