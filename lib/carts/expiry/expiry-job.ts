import type { EventLog } from '../../events/event-log.ts';
import type { Mode } from '../../stores/mode.ts';
import type { TimerJob } from '../../timers/timer-job.ts';
import { createCartJob } from '../cart-job.ts';
import { awaitsExpiry } from '../cart-timer.ts';
import type { CartSource } from '../find-carts.ts';
import { createAbandonmentRepository } from './abandonment-repository.ts';
import { countAbandonments } from './count-abandonments.ts';

/**
 * Records the abandonments of the carts of a mode that have expired without a payment, each with its event. A cart that is
 * paid, or whose abandonment is recorded, only loses its timer.
 *
 * @param log the log of the carts' events. It stores the changes of a page in a few transactions
 */
export const createExpiryJob = (mode: Mode, source: CartSource, log: EventLog): TimerJob => {
  const abandonments = createAbandonmentRepository(source.tableName, log);
  return createCartJob(source, {
    name: `${mode} expiries`,
    lagMetric: 'TimerLagSeconds',
    kind: 'expiry',
    awaits: awaitsExpiry,
    timerAtMs: ({ expiresAtMs }) => expiresAtMs,
    async handleDue(carts, signal) {
      const nowMs = source.now();
      const saved = await Promise.allSettled(carts.map((cart) => abandonments.save(cart, nowMs, signal)));
      const abandoned = saved.filter((each) => each.status === 'fulfilled' && each.value).length;
      countAbandonments(mode, abandoned);
      // After the count: a repetition finds those that are saved.
      for (const each of saved) if (each.status === 'rejected') throw each.reason as Error;
      return abandoned;
    },
  });
};
