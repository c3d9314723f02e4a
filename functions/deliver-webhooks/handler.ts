import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { createDocumentClient, createQueueClient } from '../../lib/aws/clients.ts';
import { deliverBatch, type MessageResult, returnsToQueue } from '../../lib/deliveries/deliver-batch.ts';
import {
  createDeliverDependencies,
  type DeliverDependencies,
} from '../../lib/deliveries/deliver-dependencies.ts';
import { isQueueMessage, type QueueMessage } from '../../lib/deliveries/queue/queue-message.ts';
import { type FoundQueue, queueOf, queueUrlsOf } from '../../lib/deliveries/queue/queue-urls.ts';
import { createSqsDeliveryQueue } from '../../lib/deliveries/queue/sqs-delivery-queue.ts';
import {
  ATTEMPT_MS_MAX,
  contendedDelaySeconds,
  failedDelaySeconds,
} from '../../lib/deliveries/sending/schedule.ts';
import { createSender } from '../../lib/deliveries/sending/send.ts';
import {
  batchResponse,
  type FailedMessage,
  type ReturnedMessage,
  returnMessages,
} from '../../lib/queues/returned-messages.ts';
import { readSettings } from '../../lib/settings/settings.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { describeFailure } from '../../lib/telemetry/failure.ts';
import { logger } from '../../lib/telemetry/logger.ts';
import { recordWebhookMetrics } from '../../lib/telemetry/metrics.ts';
import { settingNamesOf } from '../function-needs.ts';

interface Dependencies extends DeliverDependencies {
  /** Finds the queue with this ARN. */
  readonly findQueue: (arn: string) => FoundQueue;
  /** Makes messages of a queue visible again after their delays. */
  readonly returnMessages: (queueUrl: string, messages: readonly ReturnedMessage[]) => Promise<void>;
}

/** The calls of an attempt to the database and the queue take up to 5 s. */
const ATTEMPT_WITH_CALLS_MS = ATTEMPT_MS_MAX + 5_000;

const logFailure = (error: unknown): void =>
  logger.error('delivery', { outcome: 'error', cause: describeFailure(error) });

/** A record with its message. A malformed message is absent. */
interface ReceivedRecord {
  readonly record: SQSRecord;
  readonly message?: QueueMessage;
}

/** Parses the message of a record. A malformed message becomes a dead letter after many receives, and blocks no other. */
const parse = (record: SQSRecord): ReceivedRecord => {
  try {
    const message: unknown = JSON.parse(record.body);
    if (!isQueueMessage(message)) throw new Error('The message is malformed');
    return { record, message };
  } catch (error) {
    logFailure(error);
    return { record };
  }
};

/** A healthy stage takes a message within seconds. A metric costs money in each hour in which it has a value. */
const LAG_SECONDS_MIN = 120;

/**
 * How long a message was due when the queue delivered it for the first time, in seconds. Both times are of the queue's clock.
 * A message that returned has its time from its first receive.
 */
const lagSecondsOf = ({ record: { attributes }, message }: ReceivedRecord): number => {
  const { ApproximateReceiveCount, ApproximateFirstReceiveTimestamp, SentTimestamp } = attributes;
  if (!message || ApproximateReceiveCount !== '1') return 0;
  const { delaySeconds = 0 } = message;
  return (Number(ApproximateFirstReceiveTimestamp) - Number(SentTimestamp)) / 1_000 - delaySeconds;
};

/** Counts what shows that the service itself keeps webhooks from their receivers. A healthy batch counts nothing. */
const countProblems = (mode: Mode, lagSeconds: number, interrupted: number): void => {
  const isLate = lagSeconds >= LAG_SECONDS_MIN;
  if (!isLate && interrupted === 0) return;
  recordWebhookMetrics(mode, {
    ...(isLate && { DeliveryLagSeconds: Math.round(lagSeconds) }),
    ...(interrupted > 0 && { DeliveriesInterrupted: interrupted }),
  });
};

/** A record whose message returns to the queue, with its delay. */
const failedMessage = (
  { messageId, receiptHandle, attributes }: SQSRecord,
  result: MessageResult | undefined,
  { random }: Dependencies,
): FailedMessage => ({
  messageId,
  receiptHandle,
  delaySeconds:
    result === 'contended'
      ? contendedDelaySeconds(random())
      : failedDelaySeconds(Number(attributes.ApproximateReceiveCount), random()),
});

/**
 * Delivers a batch of the delivery queue. The response lists the messages to retry: malformed ones, and those that other
 * writers or an outage kept from delivery. Each returns after its own delay.
 */
export const deliverWebhooks =
  (dependencies: Dependencies) =>
  async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const mayStart = (): boolean => context.getRemainingTimeInMillis() > ATTEMPT_WITH_CALLS_MS;
    const [first] = Records;
    if (!first) return { batchItemFailures: [] };
    // A batch comes from one queue.
    const { mode, lane, queueUrl } = dependencies.findQueue(first.eventSourceARN);
    const received = Records.map(parse);
    const messages = received.flatMap(({ message }) => message ?? []);
    const results = await deliverBatch(messages, dependencies, { lane, mayStart });
    for (const result of results.values()) if (typeof result === 'object') logFailure(result.error);
    const returned = received
      .map(({ record, message }) => ({ record, result: message && results.get(message) }))
      .filter(({ result }) => result === undefined || returnsToQueue(result));
    const interrupted = returned.filter(({ result }) => result !== 'contended');
    countProblems(mode, Math.max(0, ...received.map(lagSecondsOf)), interrupted.length);
    const failed = returned.map(({ record, result }) => failedMessage(record, result, dependencies));
    return batchResponse(failed, (delayed) => dependencies.returnMessages(queueUrl, delayed));
  };

const createDependencies = (): Dependencies => {
  const settings = readSettings(settingNamesOf('deliver-webhooks'));
  const { now } = Date;
  const documents = createDocumentClient();
  const client = createQueueClient();
  const queueUrls = queueUrlsOf(settings);
  const delivery = createDeliverDependencies(documents, settings, {
    queue: createSqsDeliveryQueue(client, queueUrls),
    send: createSender({ allowsLoopback: settings.webhookLoopback ?? false }),
    now,
  });
  return {
    ...delivery,
    findQueue: (arn) => queueOf(arn, queueUrls),
    returnMessages: (queueUrl, messages) => returnMessages(client, queueUrl, messages),
  };
};

export const handler = deliverWebhooks(createDependencies());
