import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { batchGet } from '../core/batch-get.ts';
import type { Clock } from '../core/clock.ts';
import { inParallel, WRITES_AT_ONCE } from '../core/in-parallel.ts';
import { assertReadable } from '../core/schema-version.ts';
import type { Documents } from '../core/documents.ts';
import { parseLogKey } from '../events/logged-event.ts';
import { postponeFailed, type TimerWork } from '../timers/run-timers.ts';
import { createTimerStore, type DueItem } from '../timers/timer-store.ts';
import { parkedOf, type Timer, timerOf, timersOf } from '../timers/timer.ts';
import type { DeliveryMessage, DeliveryQueue } from './delivery.ts';

/** The timer of a delivery whose next attempt is further away than the queue can delay it. */
export const retryTimer = ({ eventId }: Pick<DeliveryMessage, 'eventId'>, atMs: number): Timer =>
  timerOf('retry', eventId, atMs);

/**
 * The timer of a delivery that waits until its endpoint recovers. Its time is that of the parking: a drain cannot end the timer
 * of a delivery that was parked again.
 */
export const parkedTimer = ({ endpoint }: Pick<DeliveryMessage, 'endpoint'>, nowMs: number): Timer => ({
  timer: parkedOf(endpoint.endpointId),
  timerAtMs: nowMs,
});

/** The attributes of a record that its message needs. */
interface TimedItem extends Timer {
  readonly log: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly recordedAtMs: number;
  readonly sequence: number;
  readonly nextAttempt: number;
}

const NEEDED_FIELDS = Object.entries({ log: 'string', sequence: 'number', nextAttempt: 'number' });

const messageOf = (item: TimedItem): DeliveryMessage => {
  assertReadable('delivery', { ...item }, NEEDED_FIELDS);
  const { log, endpointId, eventId, type, recordedAtMs, sequence, nextAttempt: attempt } = item;
  return { endpoint: { ...parseLogKey(log), endpointId }, eventId, type, recordedAtMs, sequence, attempt };
};

const keyOf = ({ endpointId, id }: Readonly<Record<string, unknown>>): string =>
  `${String(endpointId)} ${String(id)}`;

/** Deliveries with a timer. Every method throws when DynamoDB or the queue is slow, throttles or is down. */
export const createTimedDeliveries = (
  documents: Documents,
  tableName: string,
  { queue, now }: { readonly queue: DeliveryQueue; readonly now: Clock },
) => {
  const timers = createTimerStore(documents, tableName);

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
     * @param delaySeconds 0 to 900
     * @returns how many it put into the queue, and how many it cannot read: they get a later time
     */
    async requeue(
      items: readonly DueItem[],
      delaySeconds: number,
      signal?: AbortSignal,
    ): Promise<{ readonly count: number; readonly failed: number }> {
      const messages = new Map<DueItem, DeliveryMessage>();
      let failed = 0;
      for (const { item, record } of await findTimed(items, signal)) {
        try {
          messages.set(item, messageOf(record));
        } catch (error) {
          failed += 1;
          // oxlint-disable-next-line no-await-in-loop -- rare
          await postponeFailed('waiting deliveries', timers, item, error, now());
        }
      }
      if (messages.size > 0) await queue.send([...messages.values()], delaySeconds);
      await inParallel([...messages.keys()], WRITES_AT_ONCE, (item) => timers.clear(item, signal));
      return { count: messages.size, failed };
    },
  };
};

export type TimedDeliveries = ReturnType<typeof createTimedDeliveries>;

/** Puts the deliveries whose next attempt has come into the queue. */
export const createRetryWork = (deliveries: TimedDeliveries): TimerWork => ({
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
