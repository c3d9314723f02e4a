import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { PAYMENT_EVENT_TYPES } from '../../lib/carts/payment-event.ts';
import { FUNCTION_TIMEOUT_MS } from '../../functions/operations.ts';
import type { StageConfig } from '../stages.ts';

/** AWS's advice for a queue that a function reads: six times the function's time limit. */
const VISIBILITY_TIMEOUT = Duration.millis(6 * FUNCTION_TIMEOUT_MS);

/** Three minutes of trying: a short outage heals by itself, a longer one needs an operator anyway. */
const ATTEMPTS_MAX = 5;

/** The longest that SQS keeps a message: a payment must not be lost because nobody looked. */
const RETENTION = Duration.days(14);

export interface PaymentsProps extends Pick<StageConfig, 'retainsData'> {
  /** Records the payments; a message that it names as failed comes again. */
  readonly recordPayment: Function;
}

/**
 * The way of payment events: event bus, rule, queue, function. The queue stands between rule and function because it
 * keeps what cannot be recorded now, and because a dead letter can go back to it as it is.
 */
export class Payments extends Construct {
  readonly eventBus: EventBus;
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { recordPayment, retainsData }: PaymentsProps) {
    super(scope, id);
    const removalPolicy = retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    this.eventBus = new EventBus(this, 'EventBus');
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: RETENTION,
      removalPolicy,
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: VISIBILITY_TIMEOUT,
      retentionPeriod: RETENTION,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS_MAX },
      removalPolicy,
    });
    new Rule(this, 'PaymentEvents', {
      eventBus: this.eventBus,
      eventPattern: { detailType: Object.keys(PAYMENT_EVENT_TYPES) },
      // EventBridge tries for a day; what it cannot deliver to the queue joins the dead letters.
      targets: [new SqsQueue(this.queue, { deadLetterQueue: this.deadLetters })],
    });
    // One payment an invocation: each has the whole of its time, and none waits for another.
    recordPayment.addEventSource(
      new SqsEventSource(this.queue, { batchSize: 1, reportBatchItemFailures: true }),
    );
  }
}
