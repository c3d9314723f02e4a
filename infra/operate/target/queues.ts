import { SQSClient } from '@aws-sdk/client-sqs';
import type { Pauses } from '../../../lib/core/retry.ts';
import type { DeliveryQueue } from '../../../lib/deliveries/queue/delivery-queue.ts';
import { queueUrlsOf } from '../../../lib/deliveries/queue/queue-urls.ts';
import { createSqsDeliveryQueue } from '../../../lib/deliveries/queue/sqs-delivery-queue.ts';
import { localClientConfig } from '../../local-access/local-names.ts';
import { queueOutputOf, type QueueName, queueSettings } from '../../stage/queues.ts';
import { outputOf, type Stage } from './stage.ts';

/** The configuration of a client for the queues and the bus of a stage. A local stage serves them beside its DynamoDB. */
export const clientConfigOf = (stage: Stage) => (stage.isLocal ? localClientConfig(stage.endpoint) : {});

/** The client of a command for SQS. The default would send calls to the queue's address and ignore AWS_ENDPOINT_URL. */
export const createSqs = (stage: Stage): SQSClient =>
  new SQSClient({ useQueueUrlAsEndpoint: false, ...clientConfigOf(stage) });

/** The address of a queue of a stage. */
export const queueUrlOf = (stage: Stage, name: QueueName): string => outputOf(stage, queueOutputOf(name));

/** The delivery queues of a stage. */
export const deliveryQueueOf = ({
  stage,
  pauses,
}: {
  readonly stage: Stage;
  readonly pauses: Pauses;
}): DeliveryQueue => {
  const queueUrls = queueUrlsOf(queueSettings((name) => queueUrlOf(stage, name)));
  return createSqsDeliveryQueue(createSqs(stage), queueUrls, pauses);
};
