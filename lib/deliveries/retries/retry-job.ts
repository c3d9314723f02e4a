import type { Clock } from '../../core/clock.ts';
import { inParallel, WRITES_AT_ONCE } from '../../core/in-parallel.ts';
import type { Mode } from '../../stores/mode.ts';
import { postponeFailed } from '../../timers/postpone-failed.ts';
import type { TimerJob } from '../../timers/timer-job.ts';
import type { DueItem } from '../../timers/timer-repository.ts';
import { kindOf, shardsOf } from '../../timers/timer.ts';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import type { DeliveryMessage } from '../queue/queue-message.ts';
import { fromStoredMessage } from '../records/stored-message.ts';
import type { DeliveryTimers } from './delivery-timers.ts';

interface RetryJobDependencies {
  readonly deliveryTimers: DeliveryTimers;
  readonly queue: DeliveryQueue;
  readonly now: Clock;
}

/**
 * Puts the deliveries of a mode whose next attempt has come into the queue, then ends their timers. If the process dies in
 * between, a delivery is sent twice, with the same id. It postpones deliveries that it cannot read.
 */
export const createRetryJob = (
  mode: Mode,
  { deliveryTimers, queue, now }: RetryJobDependencies,
): TimerJob => {
  const { repository } = deliveryTimers;
  const job: TimerJob = {
    name: `${mode} retries`,
    lagMetric: 'TimerLagSeconds',
    repository,
    shards: shardsOf(kindOf('retry', mode)),
    async handle(items, signal) {
      const messages = new Map<DueItem, DeliveryMessage>();
      let failed = 0;
      for (const { item, record } of await deliveryTimers.find(items, signal)) {
        try {
          messages.set(item, fromStoredMessage(record, record.endpointId));
        } catch (error) {
          failed += 1;
          // oxlint-disable-next-line no-await-in-loop -- rare
          await postponeFailed(job, item, error, now());
        }
      }
      if (messages.size > 0) await queue.send([...messages.values()]);
      await inParallel([...messages.keys()], WRITES_AT_ONCE, (item) => repository.clear(item, signal));
      const [first] = messages.keys();
      return { count: messages.size, failed, firstTimerAtMs: first?.timerAtMs };
    },
  };
  return job;
};
