import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import { readEnv } from '../../lib/core/env.ts';
import { createEventBus } from '../../lib/events/bus.ts';
import { describeFailure } from '../../lib/core/failure.ts';
import { createBusClient, createDocumentClient, createQueueClient } from '../../lib/aws.ts';
import { processClock } from '../../lib/core/process-clock.ts';
import { type ReturnedMessage, returnMessages } from '../../lib/core/returned-messages.ts';
import { logger } from '../../lib/core/telemetry.ts';
import { type BatchDependencies, deliverBatch } from '../../lib/webhooks/deliver-batch.ts';
import { createDeliveryService } from '../../lib/webhooks/delivery-service.ts';
import { type DeliveryMessage, isDeliveryMessage } from '../../lib/webhooks/delivery.ts';
import { busyDelaySeconds } from '../../lib/webhooks/schedule.ts';
import { createSender } from '../../lib/webhooks/send.ts';
import { createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';

interface Dependencies extends BatchDependencies {
  /** Makes messages visible again after their delays. */
  readonly returnMessages: (messages: readonly ReturnedMessage[]) => Promise<void>;
}

/** An attempt takes up to 10 s, and its calls to the database and the queue up to 5 s. */
const ATTEMPT_MS = 15_000;

const logFailure = (error: unknown): void =>
  logger.error('delivery', { outcome: 'error', cause: describeFailure(error) });

/** The message of a record. A malformed one becomes a dead letter after many receives, and blocks no other. */
const parse = (
  record: SQSRecord,
): readonly { readonly record: SQSRecord; readonly message: DeliveryMessage }[] => {
  try {
    const message: unknown = JSON.parse(record.body);
    if (!isDeliveryMessage(message)) throw new Error('The message is malformed');
    return [{ record, message }];
  } catch (error) {
    logFailure(error);
    return [];
  }
};

const returnedMessage = (
  { receiptHandle, attributes }: SQSRecord,
  { random }: Dependencies,
): ReturnedMessage => ({
  receiptHandle,
  delaySeconds: busyDelaySeconds(Number(attributes.ApproximateReceiveCount), random()),
});

/**
 * Delivers a batch of the delivery queue. The response lists the messages to retry: their endpoint is busy, or an outage
 * prevented the delivery. Each returns after its own delay.
 */
export const deliverWebhooks =
  (dependencies: Dependencies) =>
  async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const mayStart = (): boolean => context.getRemainingTimeInMillis() > ATTEMPT_MS;
    const parsed = Records.flatMap((record) => parse(record));
    const results = await deliverBatch(
      parsed.map(({ message }) => message),
      dependencies,
      mayStart,
    );
    for (const result of results) if (result.outcome === 'failed') logFailure(result.error);
    const done = new Set(
      parsed.filter((_, index) => results[index]?.outcome === 'done').map(({ record }) => record),
    );
    const returned = Records.filter((record) => !done.has(record));
    if (returned.length === 0) return { batchItemFailures: [] };
    try {
      await dependencies.returnMessages(returned.map((record) => returnedMessage(record, dependencies)));
    } catch (error) {
      // The queue's visibility timeout returns them.
      logger.warn('messages not returned', { cause: describeFailure(error) });
    }
    return { batchItemFailures: returned.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

const dependencies = (): Dependencies => {
  const env = readEnv(
    [
      'storesTable',
      'webhookEndpointsTable',
      'secretsTable',
      'deliveriesTable',
      'eventsTable',
      'deliveryQueueUrl',
      'eventBusName',
    ],
    process.env,
  );
  const { now } = processClock;
  const documents = createDocumentClient({}, processClock);
  const client = createQueueClient();
  const service = createDeliveryService(documents, env, {
    queue: createSqsDeliveryQueue(client, env.deliveryQueueUrl),
    bus: createEventBus(createBusClient(), env.eventBusName),
    send: createSender({ allowsLoopback: process.env[ENV_NAMES.webhookLoopback] === 'true' }),
    now,
  });
  return {
    ...service,
    returnMessages: (messages) => returnMessages(client, env.deliveryQueueUrl, messages),
  };
};

export const handler = deliverWebhooks(dependencies());
