import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Clock } from '../core/clock.ts';
import { HOUR_MS } from '../core/durations.ts';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import { giveUp, type SaveDeadLetter } from './event-dead-letters.ts';
import { fromEventItem } from './event-item.ts';
import { type EventSink, fanOut, type FanOutResult } from './fan-out.ts';
import { type LoggedEvent, logKey } from './logged-event.ts';

export interface FanOutRecordsDependencies {
  /** The sinks of the events of a batch. */
  readonly createSinks: () => readonly EventSink[];
  readonly saveDeadLetter: SaveDeadLetter;
  readonly now: Clock;
}

/**
 * The event of the record of a new item. `undefined` if the item is no event, or one of a later release, or if its type is outside
 * the family of its body.
 */
export const eventOfRecord = ({ dynamodb }: DynamoDBRecord): LoggedEvent | undefined => {
  try {
    const item = unmarshall(dynamodb?.NewImage as Record<string, AttributeValue>);
    const event = fromEventItem(item);
    return logKey(event) === item['log'] ? event : undefined;
  } catch {
    return undefined;
  }
};

/** The time after which a record becomes a dead letter. A stream keeps it for 24 hours only. */
const RETRIED_MS = 20 * HOUR_MS;

const isExpiring = (record: DynamoDBRecord, nowMs: number): boolean => {
  // In seconds.
  const createdAt = record.dynamodb?.ApproximateCreationDateTime;
  return createdAt !== undefined && nowMs - createdAt * 1_000 > RETRIED_MS;
};

/**
 * The response for records. After an outage, Lambda retries the first one that is not handled and all behind it. Records that
 * would soon leave the stream become dead letters instead.
 *
 * @throws if a record can neither be retried nor become a dead letter. Lambda then retries the whole batch
 */
const respondTo = async (
  records: readonly DynamoDBRecord[],
  { handled, outage }: FanOutResult,
  { saveDeadLetter, now }: FanOutRecordsDependencies,
): Promise<DynamoDBBatchResponse> => {
  if (outage === undefined) return { batchItemFailures: [] };
  for (const record of records.slice(handled)) {
    if (!isExpiring(record, now())) {
      logger.warn('fan-out', { outcome: 'retry', cause: describeFailure(outage) });
      const itemIdentifier = record.dynamodb?.SequenceNumber;
      if (itemIdentifier === undefined)
        throw new Error('The record has no sequence number', { cause: outage });
      return { batchItemFailures: [{ itemIdentifier }] };
    }
    // oxlint-disable-next-line no-await-in-loop -- if one is not stored, Lambda retries all behind it
    await giveUp(saveDeadLetter, 'expiring', record, outage);
  }
  return { batchItemFailures: [] };
};

/**
 * Fans out the events of a batch of records of the stream of the table `events`. A record that cannot be handled becomes
 * a dead letter, and blocks none behind it.
 */
export const fanOutRecords =
  (dependencies: FanOutRecordsDependencies) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const { createSinks, saveDeadLetter } = dependencies;
    const recordOf = new Map<LoggedEvent, DynamoDBRecord>();
    // An erasure changes a stored event, and TTL deletes it.
    for (const record of Records.filter(({ eventName }) => eventName === 'INSERT')) {
      const event = eventOfRecord(record);
      if (event) recordOf.set(event, record);
      // oxlint-disable-next-line no-await-in-loop -- rare
      else await giveUp(saveDeadLetter, 'malformed', record);
    }
    const result = await fanOut([...recordOf.keys()], createSinks());
    for (const { event, error } of result.rejected) {
      const record = recordOf.get(event);
      // oxlint-disable-next-line no-await-in-loop -- rare
      if (record) await giveUp(saveDeadLetter, 'rejected', record, error);
    }
    return respondTo([...recordOf.values()], result, dependencies);
  };
