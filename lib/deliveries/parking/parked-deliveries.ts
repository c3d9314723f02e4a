import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { sendAll } from '../../aws/batches.ts';
import type { Clock } from '../../core/clock.ts';
import { inParts } from '../../core/in-parts.ts';
import { createBatchPut, PUTS_PER_BATCH_MAX } from '../../database/batch-put.ts';
import { unlessConditionFails } from '../../database/conditional-writes.ts';
import type { DocumentClient } from '../../database/documents.ts';
import { queryPages } from '../../database/paginate.ts';
import { schemaVersionOf } from '../../database/readable-item.ts';
import { logKey } from '../../events/logged-event.ts';
import { describeFailure } from '../../telemetry/failure.ts';
import { logger } from '../../telemetry/logger.ts';
import type { DeliveryMessage } from '../queue/queue-message.ts';
import { DELIVERY_RETENTION_SECONDS } from '../records/delivery-repository.ts';
import { DELIVERY_SCHEMA, deliveryId } from '../records/delivery.ts';
import { type StoredMessage, fromStoredMessage } from '../records/stored-message.ts';

/** The partition of an endpoint's parked deliveries, in the table of deliveries. `*` for the pattern of all. */
export const parkedPartition = (endpointId: string): string => `parked#${endpointId}`;

/** The fewest items that a query reads: a call for one item consumes as many units as for ten. */
const PAGE_SIZE = 10;

const keyOf = (message: DeliveryMessage) => ({
  endpointId: parkedPartition(message.endpoint.endpointId),
  id: deliveryId(message),
});

const itemOf = (message: DeliveryMessage, nowMs: number) => {
  const { endpoint, eventId, type, recordedAtMs, sequence, attempt: nextAttempt } = message;
  const stored: StoredMessage = { log: logKey(endpoint), eventId, type, recordedAtMs, sequence, nextAttempt };
  const deleteAtSeconds = Math.floor(nowMs / 1_000) + DELIVERY_RETENTION_SECONDS;
  return { ...keyOf(message), ...stored, deleteAtSeconds, ...schemaVersionOf(DELIVERY_SCHEMA) };
};

/** Parked deliveries of an endpoint. */
interface FoundDeliveries {
  readonly messages: readonly DeliveryMessage[];
  /** Whether there is none, not even one that this release cannot read. */
  readonly isEmpty: boolean;
}

const createAdd = (documents: DocumentClient, tableName: string, now: Clock) => {
  const put = createBatchPut<ReturnType<typeof itemOf>>(documents, tableName);
  /**
   * Adds deliveries. Their records must already be `waiting`. A repetition changes nothing.
   *
   * @throws UnavailableError if DynamoDB throttles some of them three times
   */
  return async (messages: readonly DeliveryMessage[]): Promise<void> => {
    // A batch must not have a key twice.
    const items = new Map(messages.map((message) => [deliveryId(message), itemOf(message, now())]));
    for (const part of inParts([...items.values()], PUTS_PER_BATCH_MAX)) {
      // oxlint-disable-next-line no-await-in-loop -- a batch of the queue has ten messages
      await sendAll(part, put, 'DynamoDB');
    }
  };
};

const createIsWaiting =
  (documents: DocumentClient, tableName: string) =>
  /** Whether the record of a delivery says that it waits. Otherwise, its process ended before it had removed it. */
  async (message: DeliveryMessage): Promise<boolean> => {
    const Key = { endpointId: message.endpoint.endpointId, id: deliveryId(message) };
    const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
    return (await documents.send(command)).Item?.['latest'] === 'waiting';
  };

const createRemove =
  (documents: DocumentClient, tableName: string) =>
  /** Removes a delivery. A call that arrives late leaves the next attempt, if that is parked by now. */
  async (message: DeliveryMessage): Promise<void> => {
    const command = new DeleteCommand({
      TableName: tableName,
      Key: keyOf(message),
      ConditionExpression: 'nextAttempt = :attempt',
      ExpressionAttributeValues: { ':attempt': message.attempt },
    });
    await unlessConditionFails(documents.send(command));
  };

/** The messages of items, without those that this release cannot read. */
const readable = (items: readonly StoredMessage[], endpointId: string): readonly DeliveryMessage[] =>
  items.flatMap((item) => {
    try {
      return [fromStoredMessage(item, endpointId)];
    } catch (error) {
      logger.error('parked delivery', { outcome: 'failed', endpointId, cause: describeFailure(error) });
      return [];
    }
  });

/**
 * The deliveries that wait for their endpoint, in items of their own: a consistent query finds them, the oldest event first. An
 * index would show them late. Every method throws when DynamoDB is slow, throttles or is down.
 */
export const createParkedDeliveries = (documents: DocumentClient, tableName: string, now: Clock) => {
  const isWaiting = createIsWaiting(documents, tableName);
  const remove = createRemove(documents, tableName);
  return {
    add: createAdd(documents, tableName, now),

    /**
     * Finds the deliveries of an endpoint with the oldest events, at most `count`. It skips those that this release cannot read,
     * and removes those whose record does not say that they wait.
     */
    async first(endpointId: string, count: number): Promise<FoundDeliveries> {
      const query = {
        TableName: tableName,
        KeyConditionExpression: 'endpointId = :parked',
        ExpressionAttributeValues: { ':parked': parkedPartition(endpointId) },
        ConsistentRead: true,
        Limit: Math.max(count, PAGE_SIZE),
      };
      const messages: DeliveryMessage[] = [];
      let isEmpty = true;
      for await (const { Items = [] } of queryPages(documents, query)) {
        const found = readable(Items as StoredMessage[], endpointId);
        if (found.length < Items.length) isEmpty = false;
        for (const message of found) {
          if (messages.length === count) break;
          // oxlint-disable no-await-in-loop -- one or two, or 25 that are dropped
          if (await isWaiting(message)) messages.push(message);
          else await remove(message);
          // oxlint-enable no-await-in-loop
        }
        if (messages.length === count) break;
      }
      return { messages, isEmpty: isEmpty && messages.length === 0 };
    },

    remove,
  };
};

export type ParkedDeliveries = ReturnType<typeof createParkedDeliveries>;
