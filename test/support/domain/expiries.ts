import { createExpiryWork } from '../../../lib/carts/expiry-work.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import { runTimers, type WorkResult, type TimerWork } from '../../../lib/timers/run-timers.ts';
import type { DueItem } from '../../../lib/timers/timer-repository.ts';
import { timerOf } from '../../../lib/timers/timer.ts';
import type { TestDatabase } from '../database/database.ts';
import { eventLogOf } from './events.ts';

type Tables = Pick<TestDatabase, 'documents' | 'tableNames'>;

/** A signal that never ends. */
export const NEVER = new AbortController().signal;

/** The expiries of a test's carts of a mode. */
export const expiryWorkOf = (
  { documents, tableNames }: Tables,
  now: Clock,
  mode: Mode = 'live',
  log = eventLogOf({ documents, tableNames }, now),
): TimerWork => {
  const tableName = mode === 'live' ? tableNames.carts : tableNames.testCarts;
  return createExpiryWork(mode, { documents, tableName, now }, log);
};

/** A run for all carts of a mode that have expired. */
export const runExpiries = (tables: Tables, now: Clock, mode?: Mode): Promise<WorkResult> =>
  runTimers(expiryWorkOf(tables, now, mode), now, NEVER);

/** Hands carts to the work as due, whatever their timers are. Returns how many it recorded as abandoned. */
export const handleExpired = async (work: TimerWork, cartIds: readonly string[]): Promise<number> => {
  const items = cartIds.map((id): DueItem => ({ key: { id }, ...timerOf('expiry', id, 1) }));
  return (await work.handle(items, NEVER)).count;
};
