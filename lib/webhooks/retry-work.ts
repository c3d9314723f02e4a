import type { TimerWork } from '../timers/run-timers.ts';
import { timersOf } from '../timers/timer.ts';
import type { WaitingDeliveries } from './waiting-deliveries.ts';

/** Puts the deliveries whose next attempt has come into the queue. */
export const createRetryWork = (deliveries: WaitingDeliveries): TimerWork => ({
  name: 'retries',
  lagMetric: 'DueLagSeconds',
  store: deliveries.timers,
  timers: timersOf('retry'),
  untilMs: (nowMs) => nowMs,
  async handle(items, signal) {
    const { count, failed } = await deliveries.requeue(items, 0, signal);
    return { count, failed, firstDueAtMs: count === 0 ? undefined : items[0]?.timerAtMs };
  },
});
