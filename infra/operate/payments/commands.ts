import { UsageError } from '../../command-line.ts';
import { define, optional, required } from '../command.ts';
import { AMOUNT, FAILURE_REASON, anyText, CART, choice, TIME } from '../value-types.ts';

/** How long the command waits until a deployed stage has recorded the payment. */
export const WAIT_SECONDS = 15;

export const PAYMENTS = {
  send: define({
    summary: 'report the result of a payment, or a refund, by hand',
    options: {
      cart: required(CART, 'the cart that the buyer paid'),
      result: required(choice('result', ['succeeded', 'failed', 'refunded']), 'the result of the payment'),
      amount: optional(
        AMOUNT,
        'the amount of a failed payment or a refund; default: the price, or what is left to refund',
      ),
      occurredAt: optional(
        TIME,
        'when it happened; default: now, or the time of the recorded event or refund with this id',
      ),
      eventId: optional(
        anyText('id'),
        'the id of the event, which makes a repetition harmless; default: a new one',
      ),
      refundId: optional(
        anyText('id'),
        'the id of the refund, which makes a repetition harmless; default: a new one',
      ),
      paymentId: optional(
        anyText('uuid'),
        "the payment; default: derived from the event's id. Of a refund: the one that completed the cart",
      ),
      failureReason: optional(FAILURE_REASON, 'why the payment failed, such as card_declined'),
    },
    asks: true,
    audits: 'cartId mode result paymentId amount currency outcome',
    json: 'outcome cartId mode eventId? refundId? paymentId amount currency status',
    example: 'payments send --cart 45075ab2-c0c2-4a6d-89b4-3b442bbef853 --result failed --event-id desk-17',
    notes: `\
On a deployed stage, it sends a payment event to the stage's bus, and waits up to ${WAIT_SECONDS} s until the service has recorded
it. If the payment is not recorded by then, it exits with 1. On the local stage, it records the payment itself. It sends
no payment that the service would reject.
To repeat a payment safely, give it an --event-id: the same event is recorded once. A refund has a --refund-id instead.`,
    check: ({ result, eventId, refundId, failureReason }) => {
      if (failureReason !== undefined && result !== 'failed') {
        throw new UsageError('Only a failed payment has a --failure-reason.');
      }
      if (result === 'refunded' ? eventId !== undefined : refundId !== undefined) {
        throw new UsageError('A refund has a --refund-id, and a payment an --event-id.');
      }
    },
  }),
};
