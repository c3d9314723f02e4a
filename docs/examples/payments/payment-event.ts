// SPDX-License-Identifier: MIT-0
import { createHash } from 'node:crypto';
import { fromMinorUnits } from './cart.ts';

/** A webhook of the provider, once its signature is verified. Times are Unix seconds. */
export interface ProviderWebhook {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly payment: string;
    /** The refund, in a webhook about one. */
    readonly refund?: string;
    /** The cart's id, as `createPayment` sent it. */
    readonly reference: string;
    /** In the currency's minor unit. */
    readonly amount: number;
    readonly currency: string;
    readonly live: boolean;
    /** When the money moved or the attempt failed. A retried webhook has the same time. */
    readonly occurredAt: number;
  };
}

/** An event for the stage's bus (`docs/payments.md`, "Payment events"). A refund has a `refundId`, and a payment an `eventId`. */
export interface PaymentEvent {
  readonly detailType: 'payment.succeeded' | 'payment.failed' | 'payment.refunded';
  readonly detail: ({ readonly eventId: string } | { readonly refundId: string }) & {
    readonly cartId: string;
    readonly mode: 'live' | 'test';
    readonly paymentId: string;
    readonly amount: number;
    readonly currency: string;
    readonly occurredAt: string;
  };
}

const DETAIL_TYPES: Readonly<Record<string, PaymentEvent['detailType']>> = {
  'payment.captured': 'payment.succeeded',
  'payment.declined': 'payment.failed',
  'payment.refunded': 'payment.refunded',
};

/** A UUID from a text (RFC 9562, 5.8). Every event about one payment has the same one. */
const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * Converts a webhook to a payment event. The same webhook always gives the same event, so a repetition is harmless.
 *
 * @returns `undefined` for a webhook that is not about the end of a payment or a refund
 */
export const toPaymentEvent = ({ id, type, data }: ProviderWebhook): PaymentEvent | undefined => {
  const detailType = Object.hasOwn(DETAIL_TYPES, type) ? DETAIL_TYPES[type] : undefined;
  if (!detailType) return undefined;
  const { payment, refund, reference, amount, currency, live, occurredAt } = data;
  return {
    detailType,
    detail: {
      ...(detailType === 'payment.refunded' ? { refundId: `acme-${refund}` } : { eventId: `acme-${id}` }),
      cartId: reference,
      mode: live ? 'live' : 'test',
      paymentId: uuidOf(`acme ${payment}`),
      // The amount of the payment or the refund, not that of the cart: the service compares the two.
      amount: fromMinorUnits(amount, currency),
      currency,
      occurredAt: new Date(occurredAt * 1_000).toISOString(),
    },
  };
};
