import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** A received message, and the time until it is visible again. */
export interface ReturnedMessage {
  readonly receiptHandle: string;
  readonly delaySeconds: number;
}

/**
 * Makes up to ten received messages visible, each after its delay. If SQS rejects a message, it returns after the visibility
 * timeout.
 *
 * @throws any error of the SDK. All messages then return after the visibility timeout
 */
export const returnMessages = async (
  client: Pick<SQSClient, 'send'>,
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
