import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { sendAll } from '../../aws/batches.ts';
import { allEnded } from '../../core/all-ended.ts';
import { inParts } from '../../core/in-parts.ts';
import type { Pauses } from '../../core/retry.ts';
import { BATCH_ENTRIES_MAX } from '../../queues/batch-entries.ts';
import { MODES } from '../../stores/mode.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { QueueUrls } from './queue-urls.ts';

/** A client for SQS. */
type QueueClient = Pick<SQSClient, 'send'>;

/**
 * The delivery queues in SQS, two for each mode. A message that SQS does not confirm is sent up to three times.
 *
 * The message group is the store, so a quiet store passes a busy one. A store's id has 1 to 128 letters, digits, `_` or `-`,
 * which SQS accepts for a group (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
 *
 * @throws an error. If no retry can fix it (`isRetryable`), SQS rejects a message.
 */
export const createSqsDeliveryQueue = (
  client: QueueClient,
  queueUrls: QueueUrls,
  pauses?: Pauses,
): DeliveryQueue => {
  /** Sends entries once. Returns those that a retry may send. */
  const sendTo =
    (QueueUrl: string) =>
    async (
      entries: readonly SendMessageBatchRequestEntry[],
    ): Promise<readonly SendMessageBatchRequestEntry[]> => {
      const command = new SendMessageBatchCommand({ QueueUrl, Entries: [...entries] });
      const { Successful = [], Failed = [] } = await client.send(command);
      const rejected = Failed.find(({ SenderFault }) => SenderFault === true);
      if (rejected) throw new Error(`The queue rejects the message: ${rejected.Code ?? 'unknown'}`);
      const stored = new Set(Successful.map(({ Id }) => Id));
      return entries.filter(({ Id }) => !stored.has(Id));
    };
  return {
    async send(messages, { lane = 'slow', delaySeconds = 0 } = {}) {
      const sent = MODES.flatMap((mode) => {
        const ofMode = messages.filter(({ endpoint }) => endpoint.mode === mode);
        const entries = ofMode.map((message, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ ...message, delaySeconds: delaySeconds || undefined }),
          MessageGroupId: message.endpoint.storeId,
          DelaySeconds: delaySeconds,
        }));
        const send = sendTo(queueUrls[mode][lane]);
        return inParts(entries, BATCH_ENTRIES_MAX).map((batch) => sendAll(batch, send, 'The queue', pauses));
      });
      await allEnded(sent);
    },
  };
};
