import * as z from 'zod/mini';
import { priceSchema } from '../products/product-view-schema.ts';
import { type FieldsOf, time, withMeanings } from '../schemas/view-fields.ts';
import { CART_STATUSES, type CartStatus, type CustomerInfo } from './cart.ts';
import type { CreateCartRequest } from './request/create-cart-request.ts';

// No function imports these values, because the functions do not validate their responses. `cart-view.ts` has their types.

const locale = z.string().check(z.regex(/^[a-z]{2,3}-(?:[A-Z]{2}|[0-9]{3})$/), z.describe('Such as `fr-CA`'));

const customerInfo = z
  .object({
    firstName: z.optional(z.string()),
    lastName: z.optional(z.string()),
    email: z.optional(z.email()),
    phone: z.optional(z.string()),
    lang: z.optional(locale),
  } satisfies FieldsOf<CustomerInfo>)
  .check(z.meta({ id: 'CustomerInfo', description: 'The buyer. A field without a value is absent.' }));

/** The meaning of each status, without its last full stop. */
export const STATUS_MEANINGS: Readonly<Record<CartStatus, string>> = {
  waiting_payment: 'No payment succeeded or failed yet. Every new cart starts here',
  completed: 'A payment of the full price succeeded. This status is final',
  payment_failed: 'The last payment failed. The buyer can pay again at the same address',
  abandoned: 'No payment succeeded or failed before `expiresAt`. A late payment can still complete the cart',
};

const cartStatus = z
  .enum(CART_STATUSES)
  .check(z.meta({ id: 'CartStatus', description: withMeanings(STATUS_MEANINGS) }));

const createdCartFields = {
  id: z.uuid().check(z.describe('Identifier of the cart')),
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change of status or payment'),
  status: cartStatus,
  customerInfo,
  productDocumentId: z.string().check(z.describe('The product of the cart: compare it with your order')),
  productName: z.string().check(z.describe("The product's name at the cart's creation")),
  price: priceSchema,
  expiresAt: time('Time at which a cart in `waiting_payment` becomes `abandoned`'),
};

export const createdCartSchema = z
  .object(createdCartFields)
  .check(z.meta({ id: 'Cart', description: 'A cart in the response to its creation' }));

const paymentId = z
  .guid()
  .check(z.describe('The payment that completed the cart, or the last one that failed'));

export const refundSchema = z
  .object({
    id: z.string().check(z.describe('Identifier of the refund')),
    paymentId: z
      .guid()
      .check(z.describe('The payment: the `paymentId` of the cart, or that of a duplicate payment')),
    amount: z.number().check(z.positive(), z.describe("In the currency's main unit, such as `49.9`")),
    currency: z.string().check(z.regex(/^[A-Z]{3}$/), z.describe('The currency of the `price`')),
    refundedAt: time('Time of the refund'),
  })
  .check(z.meta({ id: 'Refund', description: 'Money of a payment that went back to the buyer' }));

/** The request's fields that a retrieval shows in another place or form, or not at all. */
type HiddenField = keyof CustomerInfo | 'redirectURL' | 'cancelURL' | 'customerPrice' | 'expiresInMinutes';

/** A schema for each other field of the request. The compiler reports a new one that the retrieval forgets. */
type ShownFields = Readonly<Record<Exclude<keyof CreateCartRequest, HiddenField>, z.ZodMiniType>>;

export const retrievedCartSchema = z
  .object({
    ...createdCartFields,
    paymentId: z.optional(paymentId),
    meta: z.record(z.string(), z.string()).check(z.describe('The `meta` of the create request, or `{}`')),
    latePayment: z.optional(
      z.literal(true).check(z.describe('Present if the cart was `abandoned` when the payment succeeded')),
    ),
    completedAt: z.optional(time('Time of the payment that completed the cart')),
    failureReason: z.optional(
      z
        .string()
        .check(
          z.describe(
            'Why the last payment failed, such as `card_declined`. Only in `payment_failed`, and only if the payment side gave a reason',
          ),
        ),
    ),
    refunds: z.optional(
      z
        .array(refundSchema)
        .check(
          z.describe('The refunds of all payments of the cart, the oldest first. Absent before the first'),
        ),
    ),
    refundedAmount: z.optional(
      z
        .number()
        .check(
          z.positive(),
          z.describe(
            'The sum of the refunds of `paymentId`, in the currency of `price`. Absent before the first. Refunds of a duplicate payment do not count',
          ),
        ),
    ),
    redirectUrl: z.optional(
      z
        .url()
        .check(
          z.describe(
            'Address where the buyer pays. Present in `waiting_payment` and `payment_failed`, absent in events',
          ),
        ),
    ),
  } satisfies ShownFields & Readonly<Record<string, z.ZodMiniType>>)
  .check(z.meta({ id: 'RetrievedCart', description: 'A cart with its payment, `meta` and expiry' }));
