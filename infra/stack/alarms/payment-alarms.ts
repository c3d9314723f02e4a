import { Duration } from 'aws-cdk-lib';
import { type Definitions, errorsOf, LASTING_PERIODS } from './alarm.ts';
import { newDeadLetters, oldestMessage, stageMetric, waitingMessages, type Watched } from './metrics.ts';

/** The alarms on payment events that became dead letters. */
const deadLetterAlarms = ({ queues, expectsTraffic }: Watched): Definitions => ({
  PaymentDeadLetters: {
    // A stage of a branch gets few payments, and the emulator of its tests knows no expressions.
    ...(expectsTraffic
      ? // The metrics of an idle queue may be 15 minutes late. A filled gap must not hide the increase.
        { metric: newDeadLetters(queues.paymentDeadLetter), periods: 4, breaching: 1 }
      : { metric: waitingMessages(queues.paymentDeadLetter) }),
    effect: `A buyer may have paid for a cart that is not completed: a new payment event could not be recorded.`,
  },
  // CloudWatch evaluates at most seven days. A redriven or listed letter is hidden for a while, so 160 of the 168 hours
  // suffice. The age metric would skip a message that was received three times.
  OldPaymentDeadLetters: {
    metric: waitingMessages(queues.paymentDeadLetter, Duration.hours(1)),
    periods: 168,
    breaching: 160,
    effect: `SQS deletes a dead letter in a week, and its payment is then lost.`,
  },
});

/** The alarms on money that somebody must look after. */
const moneyAlarms = ({ name }: Watched): Definitions => ({
  DuplicatePayments: {
    metric: stageMetric(name, 'DuplicatePayments'),
    effect: 'A buyer paid a completed cart once more: the second payment needs a refund.',
  },
  AmountMismatches: {
    metric: stageMetric(name, 'AmountMismatches'),
    effect: `A buyer paid an amount or currency that is not the cart's, so the cart is not completed. Or a refund has another currency.`,
  },
  ExcessRefunds: {
    metric: stageMetric(name, 'ExcessRefunds'),
    effect: 'A buyer got back more than the payment: the refunds of a payment exceed its amount.',
  },
  EarlyRefunds: {
    metric: stageMetric(name, 'EarlyRefunds'),
    effect: 'Merchants do not see a refund: its payment has been missing for a day.',
  },
});

/** The alarms on payment events. */
export const paymentAlarms = (watched: Watched): Definitions => ({
  ...deadLetterAlarms(watched),
  WaitingPayments: {
    metric: oldestMessage(watched.queues.payments),
    // No payment event waits for longer before its first receive, and later ones do not count.
    above: 15 * 60,
    effect: 'Merchants still see paid carts as unpaid: no function receives payment events.',
  },
  InterruptedPayments: {
    metric: stageMetric(watched.name, 'PaymentsInterrupted'),
    periods: LASTING_PERIODS,
    effect: 'Merchants still see paid carts as unpaid: RecordPayment cannot record payment events.',
  },
  RecordPaymentErrors: errorsOf(
    watched,
    'record-payment',
    'Merchants still see paid carts as unpaid: RecordPayment crashes.',
  ),
  ...moneyAlarms(watched),
});
