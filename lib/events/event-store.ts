import { GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { callOptions, type Documents } from '../core/documents.ts';
import { fromEventItem, type StoredEvent } from './event-item.ts';
import { type LogId, logKey } from './store-event.ts';

/** Consecutive events of a log, in their order. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** The log has further events. Otherwise, it ended here at the time of the read. */
  readonly hasMore: boolean;
}

/** Where an event is in its log. */
export type EventPlace = Pick<StoredEvent, 'sequence' | 'recordedAtMs' | 'startsRun'>;

/** Reads logs. All reads are strongly consistent. All methods throw when DynamoDB is slow, throttles or is down. */
export interface EventStore {
  /** The last event of a log. */
  last(log: LogId, signal?: AbortSignal): Promise<StoredEvent | undefined>;

  /** An event by its number. `undefined` if it is no longer kept. */
  find(log: LogId, sequence: number): Promise<StoredEvent | undefined>;

  /** The places of the first events above a number, without the rest of these events. */
  placesAfter(
    log: LogId,
    sequence: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly EventPlace[]>;

  /**
   * Reads the events above a number, by one Query.
   *
   * @param sequence 0 reads from the first stored event
   * @param limit the most events to return. DynamoDB returns fewer if they exceed 1 MB.
   */
  after(log: LogId, sequence: number, limit: number, signal?: AbortSignal): Promise<EventPage>;
}

/** The part of a Query that selects the events above a number. */
const above = (sequence: number) => ({
  KeyConditionExpression: '#log = :log AND #sequence > :sequence',
  ExpressionAttributeNames: { '#log': 'log', '#sequence': 'sequence' },
  ExpressionAttributeValues: { ':sequence': sequence },
});

/** Reads logs in the table `events`. */
export const createEventStore = (documents: Documents, tableName: string): EventStore => {
  const query = (log: LogId, input: Partial<QueryCommandInput>, signal: AbortSignal | undefined) =>
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

  return {
    async last(log, signal) {
      const { Items = [] } = await query(log, { ScanIndexForward: false, Limit: 1 }, signal);
      return Items.map(fromEventItem)[0];
    },

    async find(log, sequence) {
      const Key = { log: logKey(log), sequence };
      const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
      const { Item } = await documents.send(command);
      return Item && fromEventItem(Item);
    },

    async placesAfter(log, sequence, limit, signal) {
      const ProjectionExpression = '#sequence, recordedAtMs, startsRun';
      const input = { ...above(sequence), Limit: limit, ProjectionExpression };
      const { Items = [] } = await query(log, input, signal);
      const places = Items as (Omit<EventPlace, 'startsRun'> & { readonly startsRun?: true })[];
      return places.map((place) => ({ startsRun: false, ...place }));
    },

    async after(log, sequence, limit, signal) {
      // One more shows whether the log has further events.
      const input = { ...above(sequence), Limit: limit + 1 };
      const { Items = [], LastEvaluatedKey } = await query(log, input, signal);
      return {
        events: Items.slice(0, limit).map(fromEventItem),
        hasMore: LastEvaluatedKey !== undefined || Items.length > limit,
      };
    },
  };
};
