import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Lane } from '../../lib/deliveries/queue/lanes.ts';
import type { Mode } from '../../lib/stores/mode.ts';
import { splitDeliveries } from '../stage/concurrency.ts';
import {
  DELIVERIES_BATCH_SIZE,
  DELIVERY_RECEIVES_MAX,
  visibilitySecondsOf,
} from '../stage/function-limits.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { addQueue } from './retention.ts';

/**
 * Adds the deliveries to the merchants' webhooks: two queues for each mode, one function, and the dead letters of all.
 *
 * @param deliver attempts the deliveries. SQS returns the messages that it reports as failed
 */
export const addWebhooks = (
  parent: Construct,
  { retainsData, reservedConcurrency }: Pick<StageConfig, 'retainsData' | 'reservedConcurrency'>,
  deliver: Function,
) => {
  const scope = new Construct(parent, 'Webhooks');
  const deadLetters = addQueue(scope, 'DeadLetters', retainsData);
  const concurrency = splitDeliveries(reservedConcurrency);
  const add = (id: string, mode: Mode, lane: Lane): Queue => {
    const queue = addQueue(scope, id, retainsData, {
      visibilityTimeout: Duration.seconds(visibilitySecondsOf('deliver-webhooks')),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: DELIVERY_RECEIVES_MAX },
    });
    deliver.addEventSource(
      new SqsEventSource(queue, {
        batchSize: DELIVERIES_BATCH_SIZE,
        maxConcurrency: concurrency[mode][lane],
        reportBatchItemFailures: true,
      }),
    );
    return queue;
  };
  const queues = {
    live: { quick: add('Queue', 'live', 'quick'), slow: add('SlowQueue', 'live', 'slow') },
    test: { quick: add('TestQueue', 'test', 'quick'), slow: add('SlowTestQueue', 'test', 'slow') },
  };
  return { queues, deadLetters };
};
