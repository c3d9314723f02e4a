import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { describeFailure } from '../core/failure.ts';
import { toQueueText } from '../core/queue-text.ts';
import { count, logger } from '../core/telemetry.ts';
import type { QueueClient } from '../webhooks/sqs-delivery-queue.ts';

/** The functions that read the stream of a table. */
export type StreamFunction = 'fan-out-events' | 'schedule-expiries';

/**
 * Why a record is set aside. `malformed`: it is not what its table stores. `rejected`: the record itself causes the
 * failure. `expiring`: an outage lasts nearly as long as the stream keeps the record.
 */
export type SetAsideReason = 'malformed' | 'rejected' | 'expiring';

/** A record of a stream that cannot be handled. A message of the set-aside queue is its JSON text. */
export interface SetAsideRecord {
  /** The function that failed. To retry, invoke it with `{ Records: [record] }`. */
  readonly functionName: StreamFunction;
  readonly reason: SetAsideReason;
  /** The whole record, as the function received it. */
  readonly record: DynamoDBRecord;
}

/** Keeps records that cannot be handled, for an operator. */
export interface SetAside {
  /** Stores a record. It is stored when the promise resolves. */
  put(record: SetAsideRecord): Promise<void>;
}

/** Keeps the records in a queue of SQS, as messages of at most 1 MiB. */
export const createSetAside = (client: QueueClient, queueUrl: string): SetAside => ({
  async put(record) {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: toQueueText(record) }));
  },
});

/**
 * Sets a record aside, and reports it by a metric and a log line.
 *
 * @param cause logged without its message, which may quote the record
 * @throws any error of the SDK when the queue is down. The record must then be retried.
 */
export const setRecordAside = async (
  setAside: SetAside,
  { functionName, reason, record }: SetAsideRecord,
  cause?: unknown,
): Promise<void> => {
  await setAside.put({ functionName, reason, record });
  count('RecordsSetAside');
  logger.error('set aside', {
    functionName,
    reason,
    sequenceNumber: record.dynamodb?.SequenceNumber,
    ...(cause !== undefined && { cause: describeFailure(cause) }),
  });
};
