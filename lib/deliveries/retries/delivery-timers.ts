import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { batchGet } from '../../database/batch-get.ts';
import type { DocumentClient } from '../../database/documents.ts';
import { createTimerRepository, type DueItem } from '../../timers/timer-repository.ts';
import { kindOf, type Timer, timerOf } from '../../timers/timer.ts';
import type { DeliveryMessage } from '../queue/queue-message.ts';
import type { StoredMessage } from '../records/stored-message.ts';

/** The timer of a delivery whose next attempt is further away than the queue can delay it. */
export const retryTimer = (
  { endpoint, eventId }: Pick<DeliveryMessage, 'endpoint' | 'eventId'>,
  atMs: number,
): Timer => timerOf(kindOf('retry', endpoint.mode), eventId, atMs);

/** The attributes of a record that its message needs. */
interface TimedRecord extends Timer, StoredMessage {
  readonly endpointId: string;
}

const keyOf = ({ endpointId, id }: Readonly<Record<string, unknown>>): string =>
  `${String(endpointId)} ${String(id)}`;

/** The timers of deliveries. Every method throws when DynamoDB is slow, throttles or is down. */
export const createDeliveryTimers = (documents: DocumentClient, tableName: string) => ({
  repository: createTimerRepository(documents, tableName),

  /** Finds the records of those items that still have the timer that the index shows, in the order of the items. */
  async find(
    items: readonly DueItem[],
    signal?: AbortSignal,
  ): Promise<readonly { readonly item: DueItem; readonly record: TimedRecord }[]> {
    const keys = items.map(({ key }) => marshall(key));
    const found = (await batchGet(documents, tableName, keys, { signal })).map((item) => unmarshall(item));
    const stored = new Map(found.map((item) => [keyOf(item), item as TimedRecord]));
    return items.flatMap((item) => {
      const record = stored.get(keyOf(item.key));
      const hasTimer = record?.timer === item.timer && record.timerAtMs === item.timerAtMs;
      return hasTimer ? [{ item, record }] : [];
    });
  },
});

export type DeliveryTimers = ReturnType<typeof createDeliveryTimers>;
