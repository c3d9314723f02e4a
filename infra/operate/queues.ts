import { SQSClient } from '@aws-sdk/client-sqs';
import type { DeliveryQueue } from '../../lib/webhooks/delivery.ts';
import { createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';
import { createDeliveryQueue } from '../local/delivery-queue.ts';
import type { Context } from './command.ts';
import { outputOf } from './stack-outputs.ts';

/** The client of a command for SQS. The default would send calls to the queue's address and ignore AWS_ENDPOINT_URL. */
export const createSqs = (): SQSClient => new SQSClient({ useQueueUrlAsEndpoint: false });

/** The delivery queue of a stage. The local one is in the stage's database. */
export const deliveryQueueOf = ({ stage, now, pauses }: Context): DeliveryQueue =>
  stage.outputs
    ? createSqsDeliveryQueue(createSqs(), outputOf(stage, 'DeliveryQueueUrl'), pauses)
    : createDeliveryQueue(stage.documents, stage.tableNames.due, now);
