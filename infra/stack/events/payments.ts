import { Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { PAYMENT_DETAIL_SCHEMAS } from '../../../lib/payments/payment-event.ts';
import type { StageConfig } from '../../stage/stage-config.ts';
import { senderAccounts } from './bus-senders.ts';
import { addQueue, addReadQueue } from './queues.ts';

/**
 * Adds the path of payment events: event bus, rule, queue, function. The queue keeps events that cannot be recorded now, and
 * takes dead letters back unchanged.
 *
 * @param recordPayment records the payments. It reports messages as failed, and chooses the delays after which SQS delivers
 *   them again
 */
export const addPayments = (
  parent: Construct,
  config: Pick<StageConfig, 'retainsData' | 'reservedConcurrency' | 'paymentSenders'>,
  recordPayment: Function,
) => {
  const scope = new Construct(parent, 'Payments');
  const eventBus = new EventBus(scope, 'EventBus');
  const paymentDeadLetter = addQueue(scope, 'DeadLetters', config.retainsData);
  // An invocation records its payments at the same time, each with the whole time for its database calls.
  const payments = addReadQueue(scope, 'Queue', 'payments', config, paymentDeadLetter, recordPayment);
  new Rule(scope, 'PaymentEvents', {
    eventBus,
    eventPattern: {
      source: [config.paymentSenders.source],
      // The account of the caller of PutEvents. No caller can choose it.
      account: senderAccounts(config.paymentSenders, Stack.of(scope).account),
      detailType: Object.keys(PAYMENT_DETAIL_SCHEMAS),
    },
    // EventBridge retries for a day. Undeliverable events become dead letters.
    targets: [new SqsQueue(payments, { deadLetterQueue: paymentDeadLetter })],
  });
  return { eventBus, queues: { payments, paymentDeadLetter } };
};
