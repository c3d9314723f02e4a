import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Documents } from '../../../lib/dynamodb.ts';
import { type LogId, logKey } from '../../../lib/events/store-event.ts';

/** The most events of an invocation, as on AWS. */
const BATCH_SIZE = 100;

/** The position in each event log: the function has handled this event and all before it. */
export interface LogPositions {
  /** 0 before the first event. */
  read(log: LogId): Promise<number>;

  /** Moves a position forward. A number below the stored one changes nothing. */
  move(log: LogId, sequence: number): Promise<void>;
}

/** Keeps the positions in the table of the local stage alone. */
export const createLogPositions = (documents: Documents, tableName: string): LogPositions => {
  const keyOf = (log: LogId) => ({ source: 'log-positions', id: logKey(log) });
  return {
    async read(log) {
      const command = new GetCommand({ TableName: tableName, Key: keyOf(log), ConsistentRead: true });
      const { Item } = await documents.send(command);
      return Number(Item?.['sequence'] ?? 0);
    },
    async move(log, sequence) {
      const command = new PutCommand({
        TableName: tableName,
        Item: { ...keyOf(log), sequence },
        ConditionExpression: 'attribute_not_exists(#sequence) OR #sequence < :sequence',
        ExpressionAttributeNames: { '#sequence': 'sequence' },
        ExpressionAttributeValues: { ':sequence': sequence },
      });
      try {
        await documents.send(command);
      } catch (error) {
        // Another process has moved it further.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
};

type EventItem = Readonly<Record<string, unknown>> & { readonly sequence: number };

/** The record of the table's stream for a new item. */
const recordOf = (item: EventItem): DynamoDBRecord => {
  const { log, sequence, recordedAtMs } = item;
  return {
    eventID: randomUUID(),
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    dynamodb: {
      ApproximateCreationDateTime: Number(recordedAtMs) / 1_000,
      Keys: marshall({ log, sequence }) as never,
      NewImage: marshall(item) as never,
      SequenceNumber: String(sequence),
      StreamViewType: 'NEW_IMAGE',
    },
  };
};

export interface LogSourceOptions {
  readonly documents: Documents;
  /** The table of the event logs. */
  readonly eventsTable: string;
  readonly positions: LogPositions;
  /** Invokes the function with events of one log. */
  readonly invoke: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
}

/** Passes the events of a log to the function. */
export type DrainLog = (log: LogId) => Promise<void>;

/**
 * Creates the function that passes the events after the stored position of a log, as the stream of their table does. The
 * position moves when the function has handled them: after `kill -9`, it gets a few of them again.
 *
 * Runs of one log follow each other. A call during a run returns at once, and causes a second run.
 *
 * @throws any error of the function or of the SDK. The next call continues from the position
 */
export const createLogSource = (options: LogSourceOptions): DrainLog => {
  const { documents, eventsTable, positions, invoke } = options;

  /** Passes one batch. Returns whether there may be more. */
  const passBatch = async (log: LogId): Promise<boolean> => {
    const command = new QueryCommand({
      TableName: eventsTable,
      KeyConditionExpression: '#log = :log AND #sequence > :position',
      ExpressionAttributeNames: { '#log': 'log', '#sequence': 'sequence' },
      ExpressionAttributeValues: { ':log': logKey(log), ':position': await positions.read(log) },
      ConsistentRead: true,
      Limit: BATCH_SIZE,
    });
    const { Items = [], LastEvaluatedKey } = await documents.send(command);
    const items = Items as EventItem[];
    if (items.length === 0) return false;
    const { batchItemFailures } = await invoke({ Records: items.map(recordOf) });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    // Lambda retries the first failed record and all behind it.
    const end = items.findIndex(({ sequence }) => failed.has(String(sequence)));
    const last = end === -1 ? items.at(-1) : items[end - 1];
    if (last) await positions.move(log, last.sequence);
    return end === -1 && LastEvaluatedKey !== undefined;
  };

  const again = new Map<string, boolean>();
  return async (log) => {
    const key = logKey(log);
    const isRunning = again.has(key);
    again.set(key, true);
    if (isRunning) return;
    try {
      while (again.get(key)) {
        again.set(key, false);
        if (await passBatch(log)) again.set(key, true);
      }
    } finally {
      again.delete(key);
    }
  };
};
