import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueConcurrency } from '../../stage/concurrency.ts';
import { visibilitySecondsOf } from '../../stage/function-limits.ts';
import { QUEUES, type ReadQueueName } from '../../stage/queues.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import { removalPolicyOf } from '../retention.ts';

/** A queue with the longest retention of SQS, so that operators have time to handle a message. */
export const addQueue = (scope: Construct, id: string, retainsData: boolean, props?: QueueProps): Queue =>
  new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy: removalPolicyOf(retainsData),
    ...props,
  });

/**
 * Adds a queue that a function reads, with the function's event source.
 *
 * @param deadLetters the queue of its dead letters
 * @param lambda handles the messages. SQS delivers those again that it reports as failed
 */
export const addReadQueue = (
  scope: Construct,
  id: string,
  name: ReadQueueName,
  { retainsData, reservedConcurrency }: Pick<StageConfig, 'retainsData' | 'reservedConcurrency'>,
  deadLetters: Queue,
  lambda: Function,
): Queue => {
  const { functionName, batchSize, receivesMax } = QUEUES[name].reader;
  const queue = addQueue(scope, id, retainsData, {
    visibilityTimeout: Duration.seconds(visibilitySecondsOf(functionName)),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: receivesMax },
  });
  lambda.addEventSource(
    new SqsEventSource(queue, {
      batchSize,
      maxConcurrency: queueConcurrency(reservedConcurrency)[name],
      reportBatchItemFailures: true,
    }),
  );
  return queue;
};
