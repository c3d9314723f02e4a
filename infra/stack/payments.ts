import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { PAYMENT_EVENT_TYPES } from '../../lib/carts/payment-event.ts';
import type { StageConfig } from '../stages.ts';
import { senderAccounts } from './bus-senders.ts';
import { PAYMENTS_BATCH_SIZE, PAYMENTS_CONCURRENCY } from './concurrency.ts';
import { limitsOf } from './function-limits.ts';
import { addQueue } from './retention.ts';

/** AWS recommends six times the function's timeout for a queue that a function reads. */
const VISIBILITY_TIMEOUT = Duration.seconds(6 * limitsOf('record-payment').timeoutSeconds);

/** About three minutes of attempts. A longer outage needs an operator. */
const ATTEMPTS_MAX = 5;

export interface PaymentsProps extends Pick<StageConfig, 'retainsData' | 'paymentSenders'> {
  /** Records the payments. SQS retries the messages that it reports as failed. */
  readonly recordPayment: Function;
}

/**
 * The path of payment events: event bus, rule, queue, function. The queue keeps events that cannot be recorded now, and
 * takes dead letters back unchanged.
 */
export class Payments extends Construct {
  readonly eventBus: EventBus;
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { recordPayment, retainsData, paymentSenders }: PaymentsProps) {
    super(scope, id);
    this.eventBus = new EventBus(this, 'EventBus');
    this.deadLetters = addQueue(this, 'DeadLetters', retainsData);
    this.queue = addQueue(this, 'Queue', retainsData, {
      visibilityTimeout: VISIBILITY_TIMEOUT,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS_MAX },
    });
    new Rule(this, 'PaymentEvents', {
      eventBus: this.eventBus,
      eventPattern: {
        source: [paymentSenders.source],
        // The account of the caller of PutEvents. No caller can choose it.
        account: senderAccounts(paymentSenders, Stack.of(this).account),
        detailType: Object.keys(PAYMENT_EVENT_TYPES),
      },
      // EventBridge retries for a day. Undeliverable events become dead letters.
      targets: [new SqsQueue(this.queue, { deadLetterQueue: this.deadLetters })],
    });
    // An invocation records its payments at the same time, each with the whole time for its database calls.
    recordPayment.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: PAYMENTS_BATCH_SIZE,
        maxConcurrency: PAYMENTS_CONCURRENCY,
        reportBatchItemFailures: true,
      }),
    );
  }
}
