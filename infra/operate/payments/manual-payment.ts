import { createHash, randomUUID } from 'node:crypto';
import {
  PAYMENT_EVENT_TYPES,
  parsePaymentEvent,
  type PaymentEvent,
} from '../../../lib/carts/payment-event.ts';
import type { PaymentResult } from '../../../lib/carts/payment.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { UsageError } from '../../command-line.ts';
import { isoTime } from '../output.ts';

/** The options that describe a payment. */
export interface PaymentFlags {
  readonly result: PaymentResult;
  /** In the main unit of the cart's currency. Default: the cart's amount. */
  readonly amount?: number;
  /** Default: now, or the time of the recorded event with this id. */
  readonly occurredAt?: string;
  /** Default: a new one. */
  readonly eventId?: string;
  /** Default: derived from the event's id. */
  readonly paymentId?: string;
}

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
export const manualPayment = (cart: Cart, flags: PaymentFlags, nowMs: number): ManualPayment => {
  const eventId = flags.eventId ?? `operate-${randomUUID()}`;
  const recorded = cart.payments?.find((payment) => payment.eventId === eventId);
  const detailType = typeOf(flags.result);
  const detail = {
    eventId,
    cartId: cart.id,
    mode: cart.mode,
    paymentId: flags.paymentId ?? recorded?.paymentId ?? paymentIdOf(eventId),
    amount: flags.amount ?? recorded?.amount ?? cart.price.amount,
    currency: cart.price.currency,
    occurredAt: flags.occurredAt ?? isoTime(recorded?.occurredAtMs ?? nowMs),
  };
  const parsed = parsePaymentEvent(JSON.stringify({ 'detail-type': detailType, detail }), nowMs);
  if (parsed.ok) return { detailType, detail: JSON.stringify(detail), event: parsed.event };
  throw new UsageError(
    parsed.reason === 'futurePayment'
      ? 'The payment would be more than 5 minutes in the future: check --occurred-at.'
      : 'The payment is not valid: check the forms. --occurred-at: an RFC 3339 timestamp such as 2026-11-20T14:00:00Z. --payment-id: a UUID in lower case. --event-id: 1 to 128 characters. --amount: 0, or at least 0.0001.',
  );
};
