import { setTimeout } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Pauses } from '../../lib/core/retry.ts';
import type { DeliveryQueue } from '../../lib/webhooks/delivery.ts';
import { createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';
import { createDeliveryQueue } from '../local/delivery-queue.ts';
import type { Host } from './options.ts';
import { requireOutput } from './stack-outputs.ts';
import type { Stage } from './stage.ts';

/** The client of a command for SQS. The default would send calls to the queue's address and ignore AWS_ENDPOINT_URL. */
export const createSqs = (): SQSClient => new SQSClient({ useQueueUrlAsEndpoint: false });

/** The pauses of a command. */
export const pausesOf = ({ sleep = setTimeout }: Pick<Host, 'sleep'>): Pauses => ({
  sleep,
  random: Math.random,
});

/** The delivery queue of a stage. The local one is in the stage's database. */
export const deliveryQueueOf = (stage: Stage, host: Host): DeliveryQueue => {
  const { name, documents, tableNames, outputs } = stage;
  if (!outputs) return createDeliveryQueue(documents, tableNames.due, host.now);
  return createSqsDeliveryQueue(
    createSqs(),
    requireOutput(outputs, 'DeliveryQueueUrl', name),
    pausesOf(host),
  );
};
