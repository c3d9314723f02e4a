import { UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { flag, optional, required } from '../frame/parameter.ts';
import { AMOUNT, anyText, choice, patternOf, TIME, typeOf } from '../frame/value-types.ts';
import { CART } from '../shared/cart-values.ts';

/** A payment provider's id. It is trimmed, and ASCII only, so a pasted id cannot become another payment. */
const PROVIDER_ID = typeOf('id', 'It must be 1 to 128 printable ASCII characters.', (text) =>
  /^[ -~]{1,128}$/.exec(text.trim())?.at(0),
);

/** The rule of `lib/payments/payment-event.ts`. */
const FAILURE_REASON = patternOf(
  'code',
  'It must be 1 to 64 letters, digits, _ or -.',
  /^[A-Za-z0-9_-]{1,64}$/,
);

/** How long the command waits until the stage has recorded the payment. */
export const WAIT_SECONDS = 15;

export const PAYMENTS = {
  send: define(
    {
      summary: 'report the result of a payment, or a refund, by hand',
      options: {
        cart: required(CART, 'the cart that the buyer paid'),
        result: required(choice('result', ['succeeded', 'failed', 'refunded']), 'the result of the payment'),
        amount: optional(
          AMOUNT,
          'the amount of a failed payment or a refund; default: the price, or what is left to refund',
        ),
        providerId: optional(
          PROVIDER_ID,
          "the payment provider's id of a further payment or refund; default: an id of the cart, the result and the amount",
        ),
        exceed: flag('report a refund of more than is left'),
        occurredAt: optional(TIME, 'when it happened; default: now, or the time of the first report'),
        paymentId: optional(
          anyText('uuid'),
          'the payment; default: derived from the id. Of a refund: the one that completed the cart',
        ),
        failureReason: optional(FAILURE_REASON, 'why the payment failed, such as card_declined'),
      },
      asks: true,
      audits: 'cartId mode result paymentId amount currency outcome',
      json: 'outcome cartId mode eventId? refundId? paymentId amount currency status',
      example: 'payments send --cart 45075ab2-c0c2-4a6d-89b4-3b442bbef853 --result failed --stage prod',
      notes: `\
It stores the report with the cart, sends it to the stage's bus, and waits up to ${WAIT_SECONDS} s until the service has recorded
it. If the payment is not recorded by then, it exits with 1. A repetition, by anybody, sends the stored report again: the service
records it once. A second payment or refund with the same result and amount needs --provider-id, with an id that names it.

It states the consequences first, and asks for the amount. It sends no payment that the service would reject, and without
--exceed no refund of more than is left. Without a question, it sends a duplicate payment only with --provider-id.`,
    },
    ({ result, exceed, failureReason }) => {
      if (failureReason !== undefined && result !== 'failed') {
        throw new UsageError('Only a failed payment has a --failure-reason.');
      }
      if (exceed && result !== 'refunded') throw new UsageError('Only a refund can --exceed what is left.');
    },
  ),
};
