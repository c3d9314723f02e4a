import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { describeFailure } from '../telemetry/failure.ts';
import { count, logger } from '../telemetry/telemetry.ts';

/**
 * Why an event is set aside. `malformed`: the record is not an event, its body is not of its type, or a later
 * release stored it. `rejected`: the event itself causes the failure. `expiring`: an outage lasts nearly as long as the stream keeps the record.
 */
type SetAsideReason = 'malformed' | 'rejected' | 'expiring';

/** A record of the stream of events that cannot be fanned out. It names the event and has none of its data. */
export interface SetAsideEvent {
  readonly reason: SetAsideReason;
  /** The event's key in the table `events`. */
  readonly log?: string | undefined;
  readonly sequence?: number | undefined;
}

/** Keeps an event that cannot be fanned out, for an operator. It is stored when the promise resolves. */
export type SetAside = (event: SetAsideEvent) => Promise<void>;

/** Keeps events in a queue of SQS. */
export const createSetAside =
  (client: Pick<SQSClient, 'send'>, queueUrl: string): SetAside =>
  async (event) => {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(event) }));
  };

/**
 * Sets a record aside, and reports it by a metric and a log line.
 *
 * @param cause logged without its message, which may quote the record
 * @throws any error of the SDK when the queue is down. The record must then be retried.
 */
export const setRecordAside = async (
  setAside: SetAside,
  reason: SetAsideReason,
  { dynamodb }: DynamoDBRecord,
  cause?: unknown,
): Promise<void> => {
  const { log, sequence } = dynamodb?.Keys ?? {};
  const event = { reason, log: log?.S, sequence: sequence?.N === undefined ? undefined : Number(sequence.N) };
  await setAside(event);
  count('RecordsSetAside');
  logger.error('set aside', { ...event, ...(cause !== undefined && { cause: describeFailure(cause) }) });
};
