import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { OutageError } from '../events/outage.ts';
import type { Pauses } from '../products/batches.ts';
import { toQueueText } from '../queue-text.ts';
import type { DeliveryMessage, DeliveryQueue } from './delivery.ts';

/** The limits of one call: entries, and bytes of all entries together. A larger message goes alone. */
const ENTRIES_MAX = 10;
const BYTES_MAX = 256 * 1_024;

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 200;

/** The client of a function for SQS. */
export const createQueueClient = (config: SQSClientConfig = {}): SQSClient => {
  const client = new SQSClient({
    // TLS protects the messages already.
    md5: false,
    maxAttempts: 2,
    requestHandler: { requestTimeout: 3_000, throwOnRequestTimeout: true },
    ...config,
  });
  // It walks every attribute of each request and response, although logging is off.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/** SQS did not accept all of a batch. A later retry may succeed. */
class QueueUnavailableError extends OutageError {
  constructor() {
    super('The queue did not accept all messages');
    this.name = 'QueueUnavailableError';
  }
}

/** SQS rejected a message. A retry would fail too. */
class RejectedMessageError extends Error {
  constructor(code = 'unknown') {
    super(`The queue rejects the message: ${code}`);
    this.name = 'RejectedMessageError';
  }
}

const inBatches = (entries: readonly SendMessageBatchRequestEntry[]): SendMessageBatchRequestEntry[][] => {
  const batches: SendMessageBatchRequestEntry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const size = Buffer.byteLength(entry.MessageBody ?? '');
    const batch = batches.at(-1);
    if (batch && batch.length < ENTRIES_MAX && bytes + size <= BYTES_MAX) {
      batch.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
};

/**
 * The delivery queue in SQS. A message that SQS does not accept is sent up to three times.
 *
 * @throws QueueUnavailableError, RejectedMessageError, or any error of the SDK
 */
export const createSqsDeliveryQueue = (
  client: SQSClient,
  queueUrl: string,
  { sleep, random }: Pauses,
): DeliveryQueue => {
  const sendBatch = async (batch: readonly SendMessageBatchRequestEntry[]): Promise<void> => {
    let left = batch;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS_MAX) throw new QueueUnavailableError();
      // oxlint-disable no-await-in-loop -- each attempt sends what the last one left
      if (attempt > 1) await sleep(random() * PAUSE_MS * attempt);
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...left] });
      const { Failed = [] } = await client.send(command);
      // oxlint-enable no-await-in-loop
      const rejected = Failed.find(({ SenderFault }) => SenderFault === true);
      if (rejected) throw new RejectedMessageError(rejected.Code);
      const failed = new Set(Failed.map(({ Id }) => Id));
      left = left.filter(({ Id }) => failed.has(Id));
    }
  };
  return {
    async send(messages, delaySeconds = 0) {
      const entries = messages.map((message: DeliveryMessage, index) => ({
        Id: String(index),
        MessageBody: toQueueText(message),
        DelaySeconds: delaySeconds,
      }));
      await Promise.all(inBatches(entries).map(sendBatch));
    },
  };
};

/** A received message, and the time until it is visible again. */
export interface ReturnedMessage {
  readonly receiptHandle: string;
  readonly delaySeconds: number;
}

/** Makes received messages visible after a delay. If a call fails, the queue's visibility timeout does it later. */
export const returnMessages = async (
  client: SQSClient,
  queueUrl: string,
  messages: readonly ReturnedMessage[],
): Promise<void> => {
  const Entries = messages.map(({ receiptHandle, delaySeconds }, index) => ({
    Id: String(index),
    ReceiptHandle: receiptHandle,
    VisibilityTimeout: delaySeconds,
  }));
  await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
};
