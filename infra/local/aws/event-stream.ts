import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { DocumentClient } from '../../../lib/database/documents.ts';
import { logKey } from '../../../lib/events/logged-event.ts';
import type { StoreMode } from '../../../lib/stores/mode.ts';
import { STREAM_BATCH_SIZE } from '../../stage/event-stream.ts';

/** The position in each event log: the function has handled the event with this number and all before it. */
export const createLogPositions = (documents: DocumentClient, localStateTable: string) => {
  const keyOf = (log: StoreMode) => ({ part: 'log-positions', id: logKey(log) });
  return {
    /** 0 before the first event. */
    read: async (log: StoreMode): Promise<number> => {
      const command = new GetCommand({ TableName: localStateTable, Key: keyOf(log), ConsistentRead: true });
      return Number((await documents.send(command)).Item?.['sequence'] ?? 0);
    },
    move: async (log: StoreMode, sequence: number): Promise<void> => {
      await documents.send(new PutCommand({ TableName: localStateTable, Item: { ...keyOf(log), sequence } }));
    },
  };
};

type EventItem = Readonly<Record<string, unknown>> & { readonly sequence: number };

/** The record of the table's stream for a new item, with the fields that the function reads. */
const recordOf = (item: EventItem): DynamoDBRecord => {
  const { log, sequence, recordedAtMs } = item;
  const change = {
    ApproximateCreationDateTime: Number(recordedAtMs) / 1_000,
    Keys: marshall({ log, sequence }),
    NewImage: marshall(item),
    SequenceNumber: String(sequence),
  };
  return { eventName: 'INSERT', dynamodb: change as DynamoDBRecord['dynamodb'] };
};

interface EventStreamOptions {
  readonly documents: DocumentClient;
  readonly eventsTable: string;
  /** The table of the local stage alone. */
  readonly localStateTable: string;
  /** Invokes the function with events of one log. */
  readonly invoke: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
}

/**
 * Creates the function that passes the events after the position of a log, as the stream of their table does. The position
 * moves when the function has handled them: after `kill -9`, it gets a few of them again.
 *
 * Runs of one log follow each other. A call during a run returns at once, and causes a second run.
 *
 * @throws any error of the function or of the SDK. The next call continues from the position
 */
export const createEventStream = (options: EventStreamOptions) => {
  const { documents, eventsTable, localStateTable, invoke } = options;
  const positions = createLogPositions(documents, localStateTable);

  /** Passes one batch. Returns whether there may be more. */
  const passBatch = async (log: StoreMode): Promise<boolean> => {
    const command = new QueryCommand({
      TableName: eventsTable,
      KeyConditionExpression: '#log = :log AND #sequence > :position',
      ExpressionAttributeNames: { '#log': 'log', '#sequence': 'sequence' },
      ExpressionAttributeValues: { ':log': logKey(log), ':position': await positions.read(log) },
      ConsistentRead: true,
      Limit: STREAM_BATCH_SIZE,
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

  /** The runs, and those to repeat. */
  const [runs, repeats] = [new Set<string>(), new Set<string>()];
  return async (log: StoreMode): Promise<void> => {
    const key = logKey(log);
    repeats.add(key);
    if (runs.has(key)) return;
    runs.add(key);
    try {
      while (repeats.delete(key)) if (await passBatch(log)) repeats.add(key);
    } finally {
      runs.delete(key);
    }
  };
};
