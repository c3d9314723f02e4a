import * as z from 'zod/mini';
import { type Mode, MODES } from '../core/mode.ts';
import { parseJson } from '../core/parse-json.ts';
import { parseRfc3339 } from '../core/rfc3339.ts';
import { string, text } from '../core/text.ts';
import { UUID } from './cart-id.ts';
import { type Payment, type PaymentResult, tookMoney } from './payment.ts';

/** The payment events by their EventBridge `detail-type`. Their contract is `docs/events.md`. */
export const PAYMENT_EVENT_TYPES = {
  'payment.succeeded': 'succeeded',
  'payment.failed': 'failed',
} as const satisfies Record<string, PaymentResult>;

const uuid = () => string().check(z.toLowerCase(), z.regex(UUID));

/** The smallest amount above zero: one minor unit of a currency with four decimals, the most in ISO 4217. */
const AMOUNT_ABOVE_ZERO_MIN = 0.0001;

const amount = () =>
  z.number().check(
    z.refine((value) => value === 0 || value >= AMOUNT_ABOVE_ZERO_MIN),
    // The SDK stores no larger number. Prices have at most 15 digits.
    z.maximum(Number.MAX_SAFE_INTEGER),
  );

/** A code, because free text could have a buyer's data. */
const failureReason = () => string().check(z.regex(/^[a-z][a-z0-9_]{0,63}$/));

const timestamp = () =>
  z.pipe(
    string().check(z.refine((value) => parseRfc3339(value) !== undefined)),
    z.transform((value) => Number(parseRfc3339(value))),
  );

export const paymentDetailSchema = z.object({
  eventId: text(1, 128),
  cartId: uuid(),
  mode: z.enum(MODES),
  paymentId: uuid(),
  amount: amount(),
  /** ISO 4217. */
  currency: string().check(z.regex(/^[A-Z]{3}$/)),
  occurredAt: timestamp(),
  /** Of a failed payment. It is ignored in a success. */
  failureReason: z.optional(failureReason()),
});

const paymentEventSchema = z.pipe(
  z.object({
    'detail-type': z.enum(Object.keys(PAYMENT_EVENT_TYPES) as (keyof typeof PAYMENT_EVENT_TYPES)[]),
    detail: paymentDetailSchema,
  }),
  z.transform(
    ({ 'detail-type': type, detail: { cartId, mode, occurredAt, failureReason: reason, ...rest } }) => {
      const result = PAYMENT_EVENT_TYPES[type];
      const payment: Payment = {
        ...rest,
        result,
        occurredAtMs: occurredAt,
        ...(!tookMoney(result) && reason !== undefined && { failureReason: reason }),
      };
      return { cartId, mode, payment };
    },
  ),
);

/** A payment of a cart. */
export interface PaymentEvent {
  readonly cartId: string;
  /** The mode of the cart, as the sender knows it. */
  readonly mode: Mode;
  readonly payment: Payment;
}

/** An invalid payment event, with the parts that could be read. */
export interface InvalidPaymentEvent extends Partial<Omit<PaymentEvent, 'mode'>> {
  /** `futurePayment`: `occurredAt` is more than {@link SENDER_AHEAD_MS_MAX} ahead. */
  readonly reason: 'malformedEvent' | 'futurePayment';
}

export type ParsedPaymentEvent =
  | { readonly ok: true; readonly event: PaymentEvent }
  | ({ readonly ok: false } & InvalidPaymentEvent);

/** How far the clock of a sender may be ahead. */
export const SENDER_AHEAD_MS_MAX = 5 * 60_000;

/** Parses the JSON text of an EventBridge event. */
export const parsePaymentEvent = (json: string, nowMs: number): ParsedPaymentEvent => {
  const { data } = paymentEventSchema.safeParse(parseJson(json));
  if (!data) return { ok: false, reason: 'malformedEvent' };
  const { cartId, payment } = data;
  if (payment.occurredAtMs > nowMs + SENDER_AHEAD_MS_MAX)
    return { ok: false, reason: 'futurePayment', cartId, payment };
  return { ok: true, event: data };
};
