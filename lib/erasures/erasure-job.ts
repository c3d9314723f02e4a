import { createCartJob } from '../carts/cart-job.ts';
import { awaitsErasure } from '../carts/cart-timer.ts';
import type { CartSource } from '../carts/find-carts.ts';
import { DAY_MS } from '../core/durations.ts';
import type { Mode } from '../stores/mode.ts';
import type { TimerJob } from '../timers/run-job.ts';
import { createCartEraser } from './cart-eraser.ts';
import type { ErasureLedger } from './erasure-ledger.ts';

/** The retention needs no ledger: a restored cart has its timer, and the next run erases it again. */
const NO_LEDGER: Pick<ErasureLedger, 'add'> = { add: () => Promise.resolve() };

/**
 * Erases the buyers' data of the carts of a mode that were completed long enough ago. It sends no event.
 *
 * @param personalDataDays how long the stage keeps the personal data of a completed cart, in days
 */
export const createErasureJob = (mode: Mode, source: CartSource, personalDataDays: number): TimerJob => {
  const { documents, tableName, now } = source;
  const eraser = createCartEraser(documents, NO_LEDGER, now);
  return createCartJob(source, {
    name: `${mode} erasures`,
    lagMetric: 'ErasureLagHours',
    kind: 'erasure',
    afterMs: personalDataDays * DAY_MS,
    awaits: awaitsErasure,
    timerAtMs: ({ completedAtMs = 0 }) => completedAtMs,
    handleDue: (carts, signal) =>
      eraser.erase(
        carts.map((cart) => ({ tableName, cart })),
        signal,
      ),
  });
};
