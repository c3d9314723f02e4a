import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { PAYMENT_EVENT_TYPES } from '../../lib/payments/payment-event.ts';
import { PAYMENT_RECEIVES_MAX } from '../../lib/payments/payment-retries.ts';
import { PAYMENTS_BATCH_SIZE, PAYMENTS_CONCURRENCY, visibilitySecondsOf } from '../stage/function-limits.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import { senderAccounts } from './bus-senders.ts';
import { addQueue } from './retention.ts';

/**
 * Adds the path of payment events: event bus, rule, queue, function. The queue keeps events that cannot be recorded now, and
 * takes dead letters back unchanged.
 *
 * @param recordPayment records the payments. It reports messages as failed, and chooses the delays after which SQS delivers
 *   them again
 */
export const addPayments = (
  parent: Construct,
  { retainsData, paymentSenders }: Pick<StageConfig, 'retainsData' | 'paymentSenders'>,
  recordPayment: Function,
) => {
  const scope = new Construct(parent, 'Payments');
  const eventBus = new EventBus(scope, 'EventBus');
  const deadLetters = addQueue(scope, 'DeadLetters', retainsData);
  const queue = addQueue(scope, 'Queue', retainsData, {
    visibilityTimeout: Duration.seconds(visibilitySecondsOf('record-payment')),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: PAYMENT_RECEIVES_MAX },
  });
  new Rule(scope, 'PaymentEvents', {
    eventBus,
    eventPattern: {
      source: [paymentSenders.source],
      // The account of the caller of PutEvents. No caller can choose it.
      account: senderAccounts(paymentSenders, Stack.of(scope).account),
      detailType: Object.keys(PAYMENT_EVENT_TYPES),
    },
    // EventBridge retries for a day. Undeliverable events become dead letters.
    targets: [new SqsQueue(queue, { deadLetterQueue: deadLetters })],
  });
  // An invocation records its payments at the same time, each with the whole time for its database calls.
  recordPayment.addEventSource(
    new SqsEventSource(queue, {
      batchSize: PAYMENTS_BATCH_SIZE,
      maxConcurrency: PAYMENTS_CONCURRENCY,
      reportBatchItemFailures: true,
    }),
  );
  return { eventBus, queue, deadLetters };
};
