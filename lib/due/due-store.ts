import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { queryPages, scanPages } from '../core/dynamodb-pages.ts';
import type { Clock } from '../core/clock.ts';
import { callOptions, type Documents } from '../core/documents.ts';
import { inParallel } from '../core/in-parallel.ts';
import type { DueSchedule } from './due-entry.ts';
import { type DueItem, fromItem, type StoredDueEntry, toAttributes } from './due-item.ts';
import { bucketOf, isWrittenInTime, minuteOf, parseBucket } from './minutes.ts';

/** Work for later, by the minute in which it is due. All methods throw when DynamoDB is slow, throttles or is down. */
export interface DueStore extends DueSchedule {
  /** Reads the entries of a minute in pages, by strongly consistent reads. */
  read(minuteMs: number, signal?: AbortSignal): AsyncIterable<readonly StoredDueEntry[]>;

  /** Deletes a handled entry, unless another one with the same id has replaced it. */
  done(entry: StoredDueEntry, signal?: AbortSignal): Promise<void>;

  /** Moves an entry that failed to a later time, and counts the failure. */
  postpone(entry: StoredDueEntry, dueAtMs: number, signal?: AbortSignal): Promise<void>;

  /**
   * The first minute that may have entries to handle. Before the first run, it reads the whole table for the oldest minute
   * with an entry. `undefined` if there is none.
   */
  readPosition(signal?: AbortSignal): Promise<number | undefined>;

  /** Moves the position forward. An earlier position than the stored one changes nothing. */
  movePosition(minuteMs: number, signal?: AbortSignal): Promise<void>;
}

/** The item with the position of `run-due`. Its bucket is not a minute. */
const POSITION_KEY = { bucket: 'position', id: 'run-due' } as const;

const PUTS_AT_ONCE = 10;

/** Ignores the failure of a condition: another writer was first. */
const unlessOvertaken = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
};

/** A later entry with the same id differs in its time, and a postponed one in its failures. */
const deleteUnlessReplaced = (TableName: string, { item, id }: StoredDueEntry): DeleteCommand => {
  const { bucket, dueAtMs, failures } = item;
  return new DeleteCommand({
    TableName,
    Key: { bucket, id },
    ConditionExpression: `dueAtMs = :dueAtMs AND ${failures === undefined ? 'attribute_not_exists(failures)' : 'failures = :failures'}`,
    ExpressionAttributeValues: {
      ':dueAtMs': dueAtMs,
      ...(failures !== undefined && { ':failures': failures }),
    },
  });
};

/** The oldest minute that has entries. */
const oldestMinute = async (documents: Documents, TableName: string): Promise<number | undefined> => {
  const scan = {
    TableName,
    ProjectionExpression: '#bucket',
    ExpressionAttributeNames: { '#bucket': 'bucket' },
    ConsistentRead: true,
  };
  let oldestMs = Infinity;
  for await (const { Items = [] } of scanPages(documents, scan)) {
    for (const { bucket } of Items) oldestMs = Math.min(oldestMs, parseBucket(bucket) ?? Infinity);
  }
  return Number.isFinite(oldestMs) ? oldestMs : undefined;
};

const movePositionTo = (TableName: string, minuteMs: number): PutCommand =>
  new PutCommand({
    TableName,
    Item: { ...POSITION_KEY, minuteMs },
    ConditionExpression: 'attribute_not_exists(minuteMs) OR minuteMs < :minuteMs',
    ExpressionAttributeValues: { ':minuteMs': minuteMs },
  });

/**
 * Work for later in the table `due`.
 *
 * @param now a clock that DynamoDB corrects, because `run-due` reads by the same one
 */
export const createDueStore = (documents: Documents, tableName: string, now: Clock): DueStore => {
  /** Stores an item until the minute in which it is due. Repeats a write that was so slow that `run-due` may miss it. */
  const putItem = async (item: DueItem, dueAtMs: number, signal?: AbortSignal): Promise<void> => {
    const minuteMs = minuteOf(Math.max(dueAtMs, now()));
    const Item = { ...item, bucket: bucketOf(minuteMs), dueAtMs };
    await documents.send(new PutCommand({ TableName: tableName, Item }), callOptions(signal));
    if (!isWrittenInTime(minuteMs, now())) await putItem(item, dueAtMs, signal);
  };

  return {
    put: (entries) =>
      inParallel(entries, PUTS_AT_ONCE, ({ id, dueAtMs, entry }) =>
        putItem({ ...toAttributes(entry), id }, dueAtMs),
      ),

    async *read(minuteMs, signal) {
      const query = {
        TableName: tableName,
        KeyConditionExpression: '#bucket = :bucket',
        ExpressionAttributeNames: { '#bucket': 'bucket' },
        ExpressionAttributeValues: { ':bucket': bucketOf(minuteMs) },
        ConsistentRead: true,
      };
      const pages = queryPages(documents, query, signal);
      for await (const { Items = [] } of pages) yield Items.map(fromItem);
    },

    done: (entry, signal) =>
      unlessOvertaken(documents.send(deleteUnlessReplaced(tableName, entry), callOptions(signal))),

    async postpone(entry, dueAtMs, signal) {
      await putItem({ ...entry.item, failures: entry.failures + 1 }, dueAtMs, signal);
      // If both are in the same minute, the later one has replaced the earlier one.
      await unlessOvertaken(documents.send(deleteUnlessReplaced(tableName, entry), callOptions(signal)));
    },

    async readPosition(signal) {
      const command = new GetCommand({ TableName: tableName, Key: POSITION_KEY, ConsistentRead: true });
      const { Item } = await documents.send(command, callOptions(signal));
      return Item ? (Item['minuteMs'] as number) : oldestMinute(documents, tableName);
    },

    movePosition: (minuteMs, signal) =>
      unlessOvertaken(documents.send(movePositionTo(tableName, minuteMs), callOptions(signal))),
  };
};
