import * as z from 'zod/mini';
import { string, text } from '../text.ts';
import { UUID } from './cart-id.ts';
import type { Payment, PaymentResult } from './payment.ts';

/** The payment events by their EventBridge `detail-type`. Their contract is `docs/events.md`. */
export const PAYMENT_EVENT_TYPES = {
  'payment.succeeded': 'succeeded',
  'payment.failed': 'failed',
} as const satisfies Record<string, PaymentResult>;

const uuid = () => string().check(z.toLowerCase(), z.regex(UUID));

const paymentEventSchema = z.pipe(
  z.object({
    'detail-type': z.enum(Object.keys(PAYMENT_EVENT_TYPES) as (keyof typeof PAYMENT_EVENT_TYPES)[]),
    detail: z.object({
      eventId: text(1, 128),
      cartId: uuid(),
      paymentId: uuid(),
      // The SDK stores no larger number. Prices have at most 15 digits.
      amount: z.number().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER)),
      /** ISO 4217. */
      currency: string().check(z.regex(/^[A-Z]{3}$/)),
      occurredAt: z.iso.datetime({ offset: true }),
    }),
  }),
  z.transform(({ 'detail-type': type, detail: { cartId, occurredAt, ...rest } }) => {
    const payment: Payment = {
      ...rest,
      result: PAYMENT_EVENT_TYPES[type],
      occurredAtMs: Date.parse(occurredAt),
    };
    return { cartId, payment };
  }),
);

export type PaymentEvent = z.output<typeof paymentEventSchema>;

/** Parses the JSON text of an EventBridge event. Returns `undefined` if it is not a valid payment event. */
export const parsePaymentEvent = (json: string): PaymentEvent | undefined => {
  let event: unknown;
  try {
    event = JSON.parse(json);
  } catch {
    return undefined;
  }
  return paymentEventSchema.safeParse(event).data;
};
