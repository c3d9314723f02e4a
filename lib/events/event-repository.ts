import {
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { callOptions, type DocumentClient } from '../database/documents.ts';
import { isPastDeletion } from '../database/time-to-live.ts';
import type { StoreMode } from '../stores/mode.ts';
import { COUNTER_SEQUENCE, fromCounterItem, START_ATTRIBUTE } from './event-counter.ts';
import { entryOf, fromEventItem, type LogEntry } from './event-item.ts';
import { type Position, logKey } from './logged-event.ts';

/** Consecutive entries of a log, in their order. */
interface LogPage {
  /** The number after which the page begins. */
  readonly begin: number;
  readonly entries: readonly LogEntry[];
  /** The log has further events. Otherwise, it ended here at the time of the read. */
  readonly hasMore: boolean;
}

/** The table of the events, and its client. */
interface EventTable {
  readonly documents: DocumentClient;
  readonly tableName: string;
}

/** Reads the item of a log with a number. */
const readItem = async (
  { documents, tableName }: EventTable,
  storeMode: StoreMode,
  sequence: number,
  signal?: AbortSignal,
) => {
  const Key = { log: logKey(storeMode), sequence };
  const command = new GetCommand({ TableName: tableName, Key, ConsistentRead: true });
  return (await documents.send(command, callOptions(signal))).Item;
};

/** Queries the items of a log above a number. */
const queryAbove = (
  { documents, tableName }: EventTable,
  storeMode: StoreMode,
  above: number,
  input: Partial<QueryCommandInput>,
  signal?: AbortSignal,
) =>
  documents.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#log = :log AND #sequence > :above',
      ExpressionAttributeNames: { '#log': 'log', '#sequence': 'sequence' },
      ExpressionAttributeValues: { ':log': logKey(storeMode), ':above': above },
      ConsistentRead: true,
      ...input,
    }),
    callOptions(signal),
  );

/** The page of a response. One item more than the limit shows that the log has further events. */
const pageOf = (
  { Items = [], LastEvaluatedKey }: Pick<QueryCommandOutput, 'Items' | 'LastEvaluatedKey'>,
  begin: number,
  limit: number,
): LogPage => {
  const hasMore = LastEvaluatedKey !== undefined || Items.length > limit;
  return { begin, entries: Items.slice(0, limit).map(entryOf), hasMore };
};

/**
 * Reads logs in the table `events`. All reads are strongly consistent. All methods throw when DynamoDB is slow, throttles or is
 * down.
 */
export const createEventRepository = (documents: DocumentClient, tableName: string) => {
  const table: EventTable = { documents, tableName };

  /**
   * Reads the entries above a number, by one Query.
   *
   * @param limit the most entries to return. DynamoDB returns fewer if they exceed 1 MB.
   */
  const after = async (storeMode: StoreMode, sequence: number, limit: number, signal?: AbortSignal) =>
    pageOf(await queryAbove(table, storeMode, sequence, { Limit: limit + 1 }, signal), sequence, limit);

  return {
    after,

    /**
     * Reads the first entries of a log, with its counter, by one Query. A counter with `startAfter` needs another one.
     *
     * @param limit as for `after`
     */
    async first(storeMode: StoreMode, limit: number, signal?: AbortSignal): Promise<LogPage> {
      const response = await queryAbove(table, storeMode, COUNTER_SEQUENCE - 1, { Limit: limit + 2 }, signal);
      const [counter, ...Items] = response.Items ?? [];
      if (counter?.['sequence'] !== COUNTER_SEQUENCE) return pageOf(response, COUNTER_SEQUENCE, limit);
      const begin = counter[START_ATTRIBUTE] as number | undefined;
      return begin === undefined
        ? pageOf({ ...response, Items }, COUNTER_SEQUENCE, limit)
        : after(storeMode, begin, limit, signal);
    },

    /** The position of the last event of a log, by its counter. `undefined` if the log has no counter. */
    counter: async (storeMode: StoreMode): Promise<Position | undefined> =>
      fromCounterItem(await readItem(table, storeMode, COUNTER_SEQUENCE)),

    /** The last entry of a log, by its events. */
    async last(storeMode: StoreMode): Promise<LogEntry | undefined> {
      const { Items = [] } = await queryAbove(table, storeMode, COUNTER_SEQUENCE, {
        ScanIndexForward: false,
        Limit: 1,
      });
      return Items.map(entryOf)[0];
    },

    /** An event by its number. `undefined` if it is past its deletion time. */
    async find(storeMode: StoreMode, sequence: number, nowMs: number, signal?: AbortSignal) {
      const item = await readItem(table, storeMode, sequence, signal);
      const isKept = item && !isPastDeletion(Number(item['deleteAtSeconds']), nowMs);
      return isKept ? fromEventItem(item) : undefined;
    },
  };
};

export type EventRepository = ReturnType<typeof createEventRepository>;
