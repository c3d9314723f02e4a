import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { inParts } from '../core/in-parts.ts';
import { BATCH_ENTRIES_MAX, sendWhole } from '../core/message-batches.ts';
import type { Pauses } from '../core/retry.ts';
import type { DeliveryQueue } from './delivery.ts';

/** A client for SQS. */
type QueueClient = Pick<SQSClient, 'send'>;

/**
 * The delivery queue in SQS. A message that SQS does not confirm is sent up to three times.
 *
 * @throws an outage (`isOutage`) if a retry may succeed. Any other error means that SQS rejects a message.
 */
export const createSqsDeliveryQueue = (
  client: QueueClient,
  queueUrl: string,
  pauses?: Pauses,
): DeliveryQueue => {
  /** Sends entries once. Returns those that a retry may send. */
  const send = async (
    entries: readonly SendMessageBatchRequestEntry[],
  ): Promise<readonly SendMessageBatchRequestEntry[]> => {
    const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...entries] });
    const { Successful = [], Failed = [] } = await client.send(command);
    const rejected = Failed.find(({ SenderFault }) => SenderFault === true);
    if (rejected) throw new Error(`The queue rejects the message: ${rejected.Code ?? 'unknown'}`);
    const stored = new Set(Successful.map(({ Id }) => Id));
    return entries.filter(({ Id }) => !stored.has(Id));
  };
  return {
    async send(messages, delaySeconds = 0) {
      const entries = messages.map((message, index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(message),
        DelaySeconds: delaySeconds,
      }));
      const batches = inParts(entries, BATCH_ENTRIES_MAX);
      await Promise.all(batches.map((batch) => sendWhole(batch, send, 'The queue', pauses)));
    },
  };
};
