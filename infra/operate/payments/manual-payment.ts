import { createHash, randomUUID } from 'node:crypto';
import {
  PAYMENT_EVENT_TYPES,
  parsePaymentEvent,
  type PaymentEvent,
} from '../../../lib/carts/payment-event.ts';
import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import { fromMinorUnits } from '../../../lib/products/price.ts';
import { UsageError } from '../../command-line.ts';
import type { OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import type { PAYMENTS } from './commands.ts';

type SendOptions = OptionsOf<typeof PAYMENTS.send>;

/** An event about a payment or a refund as EventBridge accepts it, and as the service parses it. */
export interface ManualPayment {
  readonly detailType: string;
  readonly detail: string;
  readonly event: PaymentEvent;
}

/** A UUIDv4 from the event's id alone, so that a repeated event is about the same payment (RFC 9562, 5.4). */
const paymentIdOf = (eventId: string): string => {
  const hex = createHash('sha256').update(`payment of ${eventId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const typeOf = (result: SendOptions['result']): string =>
  Object.entries(PAYMENT_EVENT_TYPES).find(([, each]) => each === result)?.[0] ?? '';

/** The fields of a payment. The id of a recorded event gives its payment again. */
const paymentOf = ({ cart, eventId = `operate-${randomUUID()}`, paymentId, failureReason }: SendOptions) => {
  const recorded = cart.payments?.find((payment) => payment.eventId === eventId);
  return {
    eventId,
    paymentId: paymentId ?? recorded?.paymentId ?? paymentIdOf(eventId),
    failureReason: failureReason ?? recorded?.failureReason,
    recorded,
  };
};

/** The fields of a refund. The id of a recorded refund gives it again. */
const refundOf = ({ cart, refundId = `operate-${randomUUID()}`, paymentId }: SendOptions) => {
  const { refunds = [], earlyRefunds = [] } = cart;
  const recorded = [...refunds, ...earlyRefunds].find((refund) => refund.refundId === refundId);
  return { refundId, paymentId: paymentId ?? recorded?.paymentId ?? cart.paymentId, recorded };
};

/** The amount unless the operator gives one: the cart's, or what is left to refund. */
const defaultAmount = ({ cart, result }: SendOptions, paymentId: string | undefined): number =>
  result === 'refunded' ? fromMinorUnits(unitsLeft(cart, paymentId), cart.price.currency) : cart.price.amount;

/**
 * Creates the event of a payment or a refund of a cart. Once an event is recorded, its id gives the same event again.
 *
 * @throws UsageError if the service would not accept its form
 */
export const manualPayment = (options: SendOptions, nowMs: number): ManualPayment => {
  const { cart, result, amount, occurredAt } = options;
  const { recorded, ...ids } = result === 'refunded' ? refundOf(options) : paymentOf(options);
  const detailType = typeOf(result);
  const detail = {
    ...ids,
    cartId: cart.id,
    mode: cart.mode,
    amount: amount ?? recorded?.amount ?? defaultAmount(options, ids.paymentId),
    currency: cart.price.currency,
    occurredAt: isoTime(occurredAt ?? recorded?.occurredAtMs ?? nowMs),
  };
  const parsed = parsePaymentEvent(JSON.stringify({ 'detail-type': detailType, detail }), nowMs);
  if (parsed.ok) return { detailType, detail: JSON.stringify(detail), event: parsed.event };
  throw new UsageError(
    parsed.reason === 'futurePayment'
      ? 'The payment would be more than 5 minutes in the future: check --occurred-at.'
      : 'The payment is not valid: check the forms. --payment-id: a UUID in lower case. --event-id and --refund-id: 1 to 128 characters. --amount: 0, or at least 0.0001. Of a refund: above 0, and no more decimals than the currency.',
  );
};
