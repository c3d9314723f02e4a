import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Clock } from '../../core/clock.ts';
import { inParallel, WRITES_AT_ONCE } from '../../core/in-parallel.ts';
import { batchGet } from '../../database/batch-get.ts';
import type { DocumentClient } from '../../database/documents.ts';
import type { Mode } from '../../stores/mode.ts';
import { type PostponingJob, postponeFailed, type TimerJob } from '../../timers/run-timers.ts';
import { createTimerRepository, type DueItem } from '../../timers/timer-repository.ts';
import { kindOf, type Timer, timerOf, shardsOf } from '../../timers/timer.ts';
import type { DeliveryMessage, DeliveryQueue } from '../queue/queue-message.ts';
import { type StoredMessage, storedMessage } from '../records/stored-message.ts';

/** The timer of a delivery whose next attempt is further away than the queue can delay it. */
export const retryTimer = (
  { endpoint, eventId }: Pick<DeliveryMessage, 'endpoint' | 'eventId'>,
  atMs: number,
): Timer => timerOf(kindOf('retry', endpoint.mode), eventId, atMs);

/** The attributes of a record that its message needs. */
interface TimedItem extends Timer, StoredMessage {
  readonly endpointId: string;
}

const keyOf = ({ endpointId, id }: Readonly<Record<string, unknown>>): string =>
  `${String(endpointId)} ${String(id)}`;

/** Deliveries with a timer. Every method throws when DynamoDB or the queue is slow, throttles or is down. */
export const createTimedDeliveries = (
  documents: DocumentClient,
  tableName: string,
  { queue, now }: { readonly queue: DeliveryQueue; readonly now: Clock },
) => {
  const timers = createTimerRepository(documents, tableName);

  /** The records of those items that still have the timer that the index shows. */
  const findTimed = async (items: readonly DueItem[], signal: AbortSignal | undefined) => {
    const keys = items.map(({ key }) => marshall(key));
    const found = (await batchGet(documents, tableName, keys, { signal })).map((item) => unmarshall(item));
    const stored = new Map(found.map((item) => [keyOf(item), item as TimedItem]));
    return items.flatMap((item) => {
      const record = stored.get(keyOf(item.key));
      const hasTimer = record?.timer === item.timer && record.timerAtMs === item.timerAtMs;
      return hasTimer ? [{ item, record }] : [];
    });
  };

  return {
    timers,
    /**
     * Puts deliveries into the queue, then ends their timers. It skips those that no longer have the timer. If the process dies
     * in between, a delivery is sent twice, with the same id.
     *
     * @param job the job that postpones deliveries which fail
     * @returns how many it put into the queue, and how many it cannot read: they get a later time
     */
    async requeue(
      job: PostponingJob,
      items: readonly DueItem[],
      signal?: AbortSignal,
    ): Promise<{ readonly count: number; readonly failed: number }> {
      const messages = new Map<DueItem, DeliveryMessage>();
      let failed = 0;
      for (const { item, record } of await findTimed(items, signal)) {
        try {
          messages.set(item, storedMessage(record, record.endpointId));
        } catch (error) {
          failed += 1;
          // oxlint-disable-next-line no-await-in-loop -- rare
          await postponeFailed(job, item, error, now());
        }
      }
      if (messages.size > 0) await queue.send([...messages.values()]);
      await inParallel([...messages.keys()], WRITES_AT_ONCE, (item) => timers.clear(item, signal));
      return { count: messages.size, failed };
    },
  };
};

export type TimedDeliveries = ReturnType<typeof createTimedDeliveries>;

/** Puts the deliveries of a mode whose next attempt has come into the queue. */
export const createRetryJob = (deliveries: TimedDeliveries, mode: Mode): TimerJob => {
  const job: TimerJob = {
    name: `${mode} retries`,
    lagMetric: 'TimerLagSeconds',
    repository: deliveries.timers,
    shards: shardsOf(kindOf('retry', mode)),
    untilMs: (nowMs) => nowMs,
    async handle(items, signal) {
      const { count, failed } = await deliveries.requeue(job, items, signal);
      return { count, failed, firstDueAtMs: count === 0 ? undefined : items[0]?.timerAtMs };
    },
  };
  return job;
};
