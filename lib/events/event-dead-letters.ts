import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import { recordStageMetric } from '../telemetry/metrics.ts';

/**
 * Why a record becomes a dead letter:
 *
 * - `malformed`: it is not an event, its body is not of its type, or a later release stored it.
 * - `rejected`: the event itself causes the failure.
 * - `expiring`: an outage lasts nearly as long as the stream keeps the record.
 */
type DeadLetterReason = 'malformed' | 'rejected' | 'expiring';

/** A record of the stream of events that cannot be fanned out. It names the event and has none of its data. */
export interface EventDeadLetter {
  readonly reason: DeadLetterReason;
  /** The event's key in the table `events`. */
  readonly log?: string | undefined;
  readonly sequence?: number | undefined;
}

/** Stores a dead letter, for an operator. It is stored when the promise resolves. */
export type SaveDeadLetter = (letter: EventDeadLetter) => Promise<void>;

/** Stores dead letters in a queue of SQS. */
export const createSaveDeadLetter =
  (client: Pick<SQSClient, 'send'>, queueUrl: string): SaveDeadLetter =>
  async (letter) => {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(letter) }));
  };

/**
 * Makes a record a dead letter, and reports it by a metric and a log line.
 *
 * @param cause logged without its message, which may quote the record
 * @throws any error of the SDK when the queue is down. The record must then be retried.
 */
export const giveUp = async (
  saveDeadLetter: SaveDeadLetter,
  reason: DeadLetterReason,
  { dynamodb }: DynamoDBRecord,
  cause?: unknown,
): Promise<void> => {
  const { log, sequence } = dynamodb?.Keys ?? {};
  const letter = {
    reason,
    log: log?.S,
    sequence: sequence?.N === undefined ? undefined : Number(sequence.N),
  };
  await saveDeadLetter(letter);
  recordStageMetric('EventDeadLetters');
  logger.error('dead letter', { ...letter, ...(cause !== undefined && { cause: describeFailure(cause) }) });
};
