import { createHash, randomUUID } from 'node:crypto';
import {
  PAYMENT_EVENT_TYPES,
  parsePaymentEvent,
  type PaymentEvent,
} from '../../../lib/carts/payment-event.ts';
import type { PaymentResult } from '../../../lib/carts/payment.ts';
import { UsageError } from '../../command-line.ts';
import type { OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import type { PAYMENTS } from './commands.ts';

/** A payment event as EventBridge accepts it, and as the service parses it. */
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

const typeOf = (result: PaymentResult): string =>
  Object.entries(PAYMENT_EVENT_TYPES).find(([, each]) => each === result)?.[0] ?? '';

/**
 * Creates the event of a payment of a cart. Once an event is recorded, its id gives the same event again.
 *
 * @throws UsageError if the service would not accept its form
 */
export const manualPayment = (
  { cart, result, amount, occurredAt, ...ids }: OptionsOf<typeof PAYMENTS.send>,
  nowMs: number,
): ManualPayment => {
  const eventId = ids.eventId ?? `operate-${randomUUID()}`;
  const recorded = cart.payments?.find((payment) => payment.eventId === eventId);
  const detailType = typeOf(result);
  const detail = {
    eventId,
    cartId: cart.id,
    mode: cart.mode,
    paymentId: ids.paymentId ?? recorded?.paymentId ?? paymentIdOf(eventId),
    amount: amount ?? recorded?.amount ?? cart.price.amount,
    currency: cart.price.currency,
    occurredAt: isoTime(occurredAt ?? recorded?.occurredAtMs ?? nowMs),
  };
  const parsed = parsePaymentEvent(JSON.stringify({ 'detail-type': detailType, detail }), nowMs);
  if (parsed.ok) return { detailType, detail: JSON.stringify(detail), event: parsed.event };
  throw new UsageError(
    parsed.reason === 'futurePayment'
      ? 'The payment would be more than 5 minutes in the future: check --occurred-at.'
      : 'The payment is not valid: check the forms. --payment-id: a UUID in lower case. --event-id: 1 to 128 characters. --amount: 0, or at least 0.0001.',
  );
};
