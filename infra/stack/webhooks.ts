import { Duration } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageConfig } from '../stages.ts';
import { DELIVERIES_CONCURRENCY } from './concurrency.ts';
import { limitsOf } from './function-limits.ts';
import { addQueue } from './retention.ts';

/** AWS recommends six times the function's timeout for a queue that a function reads. */
const VISIBILITY_TIMEOUT = Duration.seconds(6 * limitsOf('deliver-webhooks').timeoutSeconds);

/** The most deliveries of an invocation. */
const BATCH_SIZE = 10;

/** The most that SQS permits: a message also returns while its endpoint is busy. */
const RECEIVES_MAX = 1_000;

export interface WebhooksProps extends Pick<StageConfig, 'retainsData'> {
  /** Attempts the deliveries. SQS returns the messages that it reports as failed. */
  readonly deliver: Function;
}

/** The deliveries to the merchants' webhooks: queue, function, dead letters. */
export class Webhooks extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { deliver, retainsData }: WebhooksProps) {
    super(scope, id);
    this.deadLetters = addQueue(this, 'DeadLetters', retainsData);
    this.queue = addQueue(this, 'Queue', retainsData, {
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: RECEIVES_MAX },
    });
    deliver.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: BATCH_SIZE,
        maxConcurrency: DELIVERIES_CONCURRENCY,
        reportBatchItemFailures: true,
      }),
    );
  }
}
