import { createCartJob } from '../carts/cart-job.ts';
import { awaitsErasure } from '../carts/cart-timer.ts';
import type { CartSource } from '../carts/find-carts.ts';
import { DAY_MS } from '../core/durations.ts';
import type { Mode } from '../stores/mode.ts';
import type { TimerJob } from '../timers/timer-job.ts';
import { eraseCarts } from './erase-carts.ts';

/**
 * Erases the buyers' data of the carts of a mode that were completed long enough ago. It sends no event. It needs no ledger of
 * erasures: a restored cart has its timer, and the next run erases it again.
 *
 * @param personalDataDays how long the stage keeps the personal data of a completed cart, in days
 */
export const createErasureJob = (mode: Mode, source: CartSource, personalDataDays: number): TimerJob => {
  const { documents, tableName, now } = source;
  return createCartJob(source, {
    name: `${mode} erasures`,
    lagMetric: 'ErasureLagHours',
    kind: 'erasure',
    afterMs: personalDataDays * DAY_MS,
    awaits: awaitsErasure,
    timerAtMs: ({ completedAtMs = 0 }) => completedAtMs,
    handleDue: (carts, signal) =>
      eraseCarts(
        documents,
        carts.map((cart) => ({ tableName, cart })),
        now,
        signal,
      ),
  });
};
