import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { EVENT_STREAM_FUNCTIONS } from './stream-records.ts';

/** A record of a stream that cannot be handled, as it is in the set-aside queue. Its message is the JSON text. */
export interface SetAsideRecord {
  /** The function that could not handle the record, and that takes it again after a redrive. */
  readonly functionName: (typeof EVENT_STREAM_FUNCTIONS)[number];
  /** Why the record is set aside. It quotes nothing of the record. */
  readonly reason: string;
  /** The whole record, as the function received it. */
  readonly record: unknown;
}

/** Keeps records that cannot be handled, for an operator. */
export interface SetAside {
  /** Stores a record. It is stored when the promise resolves. */
  put(record: SetAsideRecord): Promise<void>;
}

/** Keeps the records in a queue of SQS, as messages of at most 1 MiB. */
export const createSetAside = (client: SQSClient, queueUrl: string): SetAside => ({
  async put(record) {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(record) }));
  },
});
