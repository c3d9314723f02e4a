import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import type { TimerJob } from '../timers/timer-job.ts';
import { createTimerRepository, type DueItem } from '../timers/timer-repository.ts';
import { type TimerKind, shardsOf } from '../timers/timer.ts';
import type { Cart } from './cart.ts';
import { type CartSource, findCarts } from './find-carts.ts';

/** The job for the carts of a table that wait. */
interface CartJob extends Pick<TimerJob, 'name' | 'lagMetric' | 'afterMs'> {
  readonly kind: Extract<TimerKind, 'expiry' | 'erasure'>;
  /** Whether a cart waits for this job. */
  readonly awaits: (cart: Cart) => boolean;
  /** The time of the cart's timer. */
  readonly timerAtMs: (cart: Cart) => number;
  /** Does the job, and ends the timers. Returns how many carts it changed. */
  readonly handleDue: (carts: readonly Cart[], signal: AbortSignal) => Promise<number>;
}

const firstOf = (timesMs: readonly number[]): number | undefined =>
  timesMs.length === 0 ? undefined : Math.min(...timesMs);

/** Handles carts that are due. Each cart decides, read consistently: the index may still show a timer that has ended. */
export const createCartJob = (
  source: CartSource,
  { name, lagMetric, kind, afterMs = 0, awaits, timerAtMs, handleDue }: CartJob,
): TimerJob => {
  const repository = createTimerRepository(source.documents, source.tableName);
  const idOf = ({ key }: DueItem): string => String(key['id']);
  return {
    name,
    lagMetric,
    repository,
    shards: shardsOf(kind),
    afterMs,
    async handle(items, signal) {
      const found = await findCarts(items.map(idOf), source, signal);
      const waiting = found.filter(awaits);
      const waitingIds = new Set(waiting.map(({ id }) => id));
      const ended = items.filter((item) => !waitingIds.has(idOf(item)));
      await inParallel(ended, WRITES_AT_ONCE, (item) => repository.clear(item, signal));
      const due = waiting.filter((cart) => timerAtMs(cart) + afterMs <= source.now());
      return { count: await handleDue(due, signal), firstTimerAtMs: firstOf(due.map(timerAtMs)) };
    },
  };
};
