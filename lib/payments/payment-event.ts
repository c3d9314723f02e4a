import * as z from 'zod/mini';
import { UUID } from '../carts/cart-id.ts';
import { type Payment, type PaymentResult, tookMoney } from '../carts/payment.ts';
import type { Refund } from '../carts/refund.ts';
import { parseJson } from '../core/parse-json.ts';
import { parseRfc3339 } from '../core/timestamps.ts';
import { amountIssue } from '../products/price.ts';
import { string, text } from '../schemas/input-fields.ts';
import { type Mode, MODES } from '../stores/mode.ts';

const uuid = () => string().check(z.toLowerCase(), z.regex(UUID), z.meta({ format: 'uuid' }));

/** The smallest amount above zero: one minor unit of a currency with four decimals, the most in ISO 4217. */
const AMOUNT_ABOVE_ZERO_MIN = 0.0001;

const amount = () =>
  z.number().check(
    z.refine((value) => value === 0 || value >= AMOUNT_ABOVE_ZERO_MIN),
    // The SDK stores no larger number. Prices have at most 15 digits.
    z.maximum(Number.MAX_SAFE_INTEGER),
  );

/** A code. Free text, which could have a buyer's data, counts as absent: it must not cost the payment. */
const failureReason = () => {
  const code = z.optional(string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)));
  // oxlint-disable-next-line promise/valid-params -- a schema, not a promise
  return z.catch(code, undefined);
};

/** RFC 3339 has years of four digits. By its offset, a time can be in the year -1 or 10000 in UTC. */
const YEAR_0_MS = Date.parse('0000-01-01T00:00:00Z');
const YEAR_9999_END_MS = Date.parse('9999-12-31T23:59:59.999Z');

const timestamp = () =>
  z.pipe(
    z.pipe(string(), z.transform(parseRfc3339)),
    z.number().check(z.minimum(YEAR_0_MS), z.maximum(YEAR_9999_END_MS)),
  );

/** How far the clock of a sender may be ahead. */
export const SENDER_AHEAD_MS_MAX = 5 * 60_000;

/** The fields of every event, with their descriptions in `docs/payments.md`. */
const detailFields = {
  cartId: uuid().check(z.describe('the cart')),
  mode: z.enum(MODES).check(z.describe("the cart's mode: `live` if real money moved, `test` if none did")),
  paymentId: uuid().check(
    z.describe('the payment; several events can report the same one. A success belongs to one cart'),
  ),
  amount: amount().check(
    z.describe(
      `in the currency's main unit: 0, or ${AMOUNT_ABOVE_ZERO_MIN} to ${Number.MAX_SAFE_INTEGER}. For a success, exactly the cart's amount`,
    ),
  ),
  currency: string().check(
    z.regex(/^[A-Z]{3}$/),
    z.describe("ISO 4217. For a success or a refund, exactly the cart's currency"),
  ),
  occurredAt: timestamp().check(
    z.describe(
      `RFC 3339: when the money moved or the payment failed, not when the event was sent. At most ${SENDER_AHEAD_MS_MAX / 60_000} minutes in the future`,
    ),
  ),
};

export const paymentDetailSchema = z.object({
  eventId: text(1, 128).check(z.describe('identifies the event. A repetition has the same id')),
  ...detailFields,
  failureReason: failureReason().check(
    z.describe(
      'optional: why a payment failed, such as `card_declined`: 1 to 64 letters, digits, `_` and `-`. Invalid values count as absent. The merchant sees it: never send buyer data',
    ),
  ),
});

const refundFields = {
  refundId: text(1, 128).check(z.describe('identifies the refund. A repetition has the same id')),
  ...detailFields,
  paymentId: uuid().check(z.describe("the refunded payment: the cart's `paymentId`, or a duplicate payment")),
  amount: amount().check(
    z.describe("in the currency's main unit: above 0, with at most the currency's decimals, and 15 digits"),
  ),
};

export const refundDetailSchema = z.object(refundFields).check(
  // Otherwise, a sum of refunds would not be exact.
  z.refine((refund) => amountIssue(refund.amount, refund.currency) === undefined),
);

/** An event of the payment side about a cart: a payment or a refund. */
export type PaymentEvent = {
  readonly cartId: string;
  /** The mode of the cart, as the sender knows it. */
  readonly mode: Mode;
} & (
  | { readonly payment: Payment; readonly refund?: never }
  | { readonly refund: Refund; readonly payment?: never }
);

const paymentEvent = (result: PaymentResult) =>
  z.pipe(
    paymentDetailSchema,
    z.transform(
      ({ cartId, mode, occurredAt: occurredAtMs, failureReason: reason, ...rest }): PaymentEvent => {
        const hasReason = !tookMoney(result) && reason !== undefined;
        const payment = { ...rest, result, occurredAtMs, ...(hasReason && { failureReason: reason }) };
        return { cartId, mode, payment };
      },
    ),
  );

const refundEvent = () =>
  z.pipe(
    refundDetailSchema,
    z.transform(({ cartId, mode, occurredAt: occurredAtMs, ...refund }): PaymentEvent => ({
      cartId,
      mode,
      refund: { ...refund, occurredAtMs },
    })),
  );

/** The payment events by their EventBridge `detail-type`, with the schemas of `detail`. Their contract is `docs/payments.md`. */
export const PAYMENT_DETAIL_SCHEMAS = {
  'payment.succeeded': paymentEvent('succeeded'),
  'payment.failed': paymentEvent('failed'),
  'payment.refunded': refundEvent(),
} as const;

const eventSchema = z.union(
  Object.entries(PAYMENT_DETAIL_SCHEMAS).map(([type, detail]) =>
    z.object({ 'detail-type': z.literal(type), detail }),
  ),
);

/** An invalid payment event, with the parts that could be read. */
export type InvalidPaymentEvent =
  | { readonly reason: 'malformedEvent'; readonly event?: never }
  /** `occurredAt` is more than {@link SENDER_AHEAD_MS_MAX} ahead. */
  | { readonly reason: 'futurePayment'; readonly event: PaymentEvent };

type ParsedPaymentEvent =
  | { readonly ok: true; readonly event: PaymentEvent }
  | ({ readonly ok: false } & InvalidPaymentEvent);

/** Parses the JSON text of an EventBridge event. */
export const parsePaymentEvent = (json: string, nowMs: number): ParsedPaymentEvent => {
  const event = eventSchema.safeParse(parseJson(json)).data?.detail;
  if (!event) return { ok: false, reason: 'malformedEvent' };
  const { occurredAtMs } = event.payment ?? event.refund;
  if (occurredAtMs > nowMs + SENDER_AHEAD_MS_MAX) return { ok: false, reason: 'futurePayment', event };
  return { ok: true, event };
};
