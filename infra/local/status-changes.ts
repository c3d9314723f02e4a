import { setTimeout as wait } from 'node:timers/promises';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  type _Record as StreamRecord,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { createDocumentClient } from '../../lib/dynamodb.ts';
import { STATUS_CHANGED_FIELDS, type StatusChanged } from '../status-changed-event.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from './local-database.ts';

/** Soon enough for who watches, seldom enough to leave the database alone. */
const POLL_INTERVAL_MS = 250;

/** A value inside a record's image, such as that of `statusChange.M.to.S`. */
const valueAt = (image: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], image);

/** The event that a deployed stage's pipe would make of a record; none if the write changed no status. */
const toStatusChanged = ({ eventName, dynamodb }: StreamRecord): StatusChanged | undefined => {
  if (eventName !== 'MODIFY') return undefined;
  const fields = Object.entries(STATUS_CHANGED_FIELDS).map(([name, path]) => [
    name,
    valueAt(dynamodb?.NewImage, path),
  ]);
  const event = Object.fromEntries(fields) as StatusChanged;
  return event.to === undefined ? undefined : event;
};

/** Where reading a stream goes on from. */
type Position = string | undefined;

/** The end of the carts' stream as it is now; none if the database has no streams. */
const findEnd = async (streams: DynamoDBStreamsClient, endpoint: string): Promise<Position> => {
  const documents = createDocumentClient(localClientConfig(endpoint));
  try {
    const { Table } = await documents.send(new DescribeTableCommand({ TableName: LOCAL_TABLE_NAMES.carts }));
    const StreamArn = Table?.LatestStreamArn;
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
    const ShardId = StreamDescription?.Shards?.at(-1)?.ShardId;
    const end = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'LATEST' });
    return (await streams.send(end)).ShardIterator;
  } catch {
    return undefined;
  } finally {
    documents.destroy();
  }
};

/** Reads on from a position: the records there are, and where to go on; the same position again after a failure. */
const readOn = async (
  streams: DynamoDBStreamsClient,
  position: Position,
): Promise<{ records: readonly StreamRecord[]; next: Position }> => {
  try {
    const { Records = [], NextShardIterator } = await streams.send(
      new GetRecordsCommand({ ShardIterator: position }),
    );
    return { records: Records, next: NextShardIterator };
  } catch {
    return { records: [], next: position };
  }
};

/**
 * Tells every change of a cart's status from now on, from the table's stream, as a deployed stage's event bus does. A
 * database without streams tells nothing.
 *
 * @returns what ends it
 */
export const watchStatusChanges = async (
  endpoint: string,
  tell: (change: StatusChanged) => void,
): Promise<() => void> => {
  const streams = new DynamoDBStreamsClient(localClientConfig(endpoint));
  let position = await findEnd(streams, endpoint);
  const ending = new AbortController();
  const watch = async (): Promise<void> => {
    while (position !== undefined && !ending.signal.aborted) {
      const { records, next } = await readOn(streams, position);
      for (const change of records.map(toStatusChanged)) if (change) tell(change);
      position = next;
      await wait(POLL_INTERVAL_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
    streams.destroy();
  };
  void watch();
  return () => ending.abort();
};
