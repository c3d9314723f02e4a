import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse } from 'aws-lambda';
import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';

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

/** A received message that SQS must deliver again. */
export interface FailedMessage {
  readonly messageId: string;
  readonly receiptHandle: string;
  /** Default: the visibility timeout of the queue */
  readonly delaySeconds?: number | undefined;
}

/**
 * The response of a function to a batch of messages: SQS delivers those that failed again, each after its delay.
 *
 * @param returnDelayed makes messages visible again after their delays
 */
export const batchResponse = async (
  failed: readonly FailedMessage[],
  returnDelayed: (messages: readonly ReturnedMessage[]) => Promise<void>,
): Promise<SQSBatchResponse> => {
  const delayed = failed.flatMap(({ receiptHandle, delaySeconds }) =>
    delaySeconds === undefined ? [] : [{ receiptHandle, delaySeconds }],
  );
  try {
    if (delayed.length > 0) await returnDelayed(delayed);
  } catch (error) {
    // The queue's visibility timeout returns them.
    logger.warn('messages not returned', { cause: describeFailure(error) });
  }
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};
