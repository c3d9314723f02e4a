import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { isPastDeletion } from '../core/time-to-live.ts';
import { callOptions, type Documents } from '../core/documents.ts';
import { fromEventItem, type StoredEvent } from './event-item.ts';
import { type LogId, logKey } from './logged-event.ts';

/** Consecutive events of a log, in their order. */
interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The log has further events. Otherwise, it ended here at the time of the read. */
  readonly hasMore: boolean;
}

/** How to query a log. */
const queryOn =
  (documents: Documents, tableName: string) =>
  (log: LogId, input: Partial<QueryCommandInput>, signal?: AbortSignal) =>
    documents.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: '#log = :log',
        ExpressionAttributeNames: { '#log': 'log' },
        ConsistentRead: true,
        ...input,
        ExpressionAttributeValues: { ':log': logKey(log), ...input.ExpressionAttributeValues },
      }),
      callOptions(signal),
    );

/**
 * Reads logs in the table `events`. All reads are strongly consistent. All methods throw when DynamoDB is slow, throttles or is
 * down.
 */
export const createEventStore = (documents: Documents, tableName: string) => {
  const query = queryOn(documents, tableName);
  return {
    /** The last event of a log. */
    async last(log: LogId): Promise<StoredEvent | undefined> {
      const { Items = [] } = await query(log, { ScanIndexForward: false, Limit: 1 });
      return Items.map(fromEventItem)[0];
    },

    /** An event by its number. `undefined` if it is past its deletion time. */
    async find(
      log: LogId,
      sequence: number,
      nowMs: number,
      signal?: AbortSignal,
    ): Promise<StoredEvent | undefined> {
      const Key = { log: logKey(log), sequence };
      const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
      const { Item } = await documents.send(command, callOptions(signal));
      return Item && !isPastDeletion(Number(Item['deleteAtSeconds']), nowMs)
        ? fromEventItem(Item)
        : undefined;
    },

    /**
     * Reads the events above a number, by one Query.
     *
     * @param sequence 0 reads from the first stored event
     * @param limit the most events to return. DynamoDB returns fewer if they exceed 1 MB.
     */
    async after(log: LogId, sequence: number, limit: number, signal?: AbortSignal): Promise<EventPage> {
      const input = {
        KeyConditionExpression: '#log = :log AND #sequence > :sequence',
        ExpressionAttributeNames: { '#log': 'log', '#sequence': 'sequence' },
        ExpressionAttributeValues: { ':sequence': sequence },
        // One more shows whether the log has further events.
        Limit: limit + 1,
      };
      const { Items = [], LastEvaluatedKey } = await query(log, input, signal);
      return {
        events: Items.slice(0, limit).map(fromEventItem),
        hasMore: LastEvaluatedKey !== undefined || Items.length > limit,
      };
    },
  };
};

export type EventStore = ReturnType<typeof createEventStore>;
