import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ReadQueueName } from '../../stage/queues.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import { addQueue, addReadQueue } from './queues.ts';

/**
 * Adds the deliveries to the merchants' webhooks: two queues for each mode, one function, and the dead letters of all.
 *
 * @param deliver attempts the deliveries. SQS returns the messages that it reports as failed
 */
export const addWebhooks = (
  parent: Construct,
  config: Pick<StageConfig, 'retainsData' | 'reservedConcurrency'>,
  deliver: Function,
) => {
  const scope = new Construct(parent, 'Webhooks');
  const deliveryDeadLetter = addQueue(scope, 'DeadLetters', config.retainsData);
  const add = (id: string, name: ReadQueueName) =>
    addReadQueue(scope, id, name, config, deliveryDeadLetter, deliver);
  return {
    deliveryDeadLetter,
    delivery: add('Queue', 'delivery'),
    slowDelivery: add('SlowQueue', 'slowDelivery'),
    testDelivery: add('TestQueue', 'testDelivery'),
    slowTestDelivery: add('SlowTestQueue', 'slowTestDelivery'),
  };
};
