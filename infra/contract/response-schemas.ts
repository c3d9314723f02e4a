import * as z from 'zod/mini';
import type { CreatedCartView, RetrievedCartView } from '../../lib/carts/cart-view.ts';
import { CART_STATUSES, type CustomerInfo } from '../../lib/carts/cart.ts';
import type { InvalidField } from '../../lib/invalid-field.ts';
import { type Json, plainJsonSchemaOf, schemaReference, withProperties } from './json-schema.ts';

// The types on the left are those of the handlers' answers: the compiler holds the schemas to them.
const customerInfo: z.ZodMiniType<CustomerInfo> = z.object({
  firstName: z.optional(z.string()),
  lastName: z.optional(z.string()),
  email: z.optional(z.email()),
  phone: z.optional(z.string()),
  lang: z.optional(z.string().check(z.regex(/^[a-z]{2,3}-(?:[A-Z]{2}|[0-9]{3})$/))),
});

const cartStatus = z.enum(CART_STATUSES);

const createdCartFields = {
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  status: cartStatus,
  customerInfo,
};

const createdCart: z.ZodMiniType<CreatedCartView> = z.object(createdCartFields);

const price = z.object({
  amount: z.number().check(z.positive()),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
});

const retrievedCart: z.ZodMiniType<RetrievedCartView> = z.object({
  ...createdCartFields,
  paymentId: z.exactOptional(z.guid()),
  meta: z.record(z.string(), z.string()),
  price,
  expiresAt: z.iso.datetime(),
  latePayment: z.exactOptional(z.literal(true)),
});

const createCartCheckoutResponse = z.object({ cart: createdCart, redirectUrl: z.url() });

const errorResponse = z.object({ code: z.string(), message: z.string() });

const detail: z.ZodMiniType<InvalidField> = z.object({
  path: z.string(),
  message: z.string().check(z.minLength(1)),
});

const CREATED_CART_TEXTS = {
  id: { description: 'Cart identifier' },
  createdAt: { description: 'ISO 8601, in UTC' },
  updatedAt: { description: 'ISO 8601, in UTC' },
  status: schemaReference('CartStatus'),
  customerInfo: schemaReference('CustomerInfo'),
} as const;

/** The components of answers, by the document's names. */
export const RESPONSE_SCHEMAS: Readonly<Record<string, Json>> = {
  CustomerInfo: withProperties(plainJsonSchemaOf(customerInfo), {
    firstName: {},
    lastName: {},
    email: {},
    phone: {},
    lang: { description: 'a locale tag of the form language-REGION' },
  }),
  CartStatus: {
    ...plainJsonSchemaOf(cartStatus),
    description:
      'waiting_payment: nobody has paid yet. completed: paid, and never left. payment_failed: the last payment failed, and the buyer may try again. abandoned: nobody paid before `expiresAt`; a late payment still completes the cart.',
  },
  Cart: {
    ...withProperties(plainJsonSchemaOf(createdCart), CREATED_CART_TEXTS),
    description: 'Cart (returned on creation)',
  },
  RetrievedCart: {
    ...withProperties(plainJsonSchemaOf(retrievedCart), {
      ...CREATED_CART_TEXTS,
      paymentId: {
        description: 'Identifier of the payment linked to the cart; absent until there is one',
      },
      meta: { description: 'Custom metadata given at creation; `{}` when none was given' },
      price: { description: "In the currency's main unit; `currency` is ISO 4217", 'x-extension': true },
      expiresAt: {
        description: 'When a cart that nobody paid becomes `abandoned`; ISO 8601, in UTC',
        'x-extension': true,
      },
      latePayment: { description: 'The payment succeeded after `expiresAt`', 'x-extension': true },
    }),
    description: 'Cart (returned on retrieval)',
  },
  CreateCartCheckoutResponse: withProperties(plainJsonSchemaOf(createCartCheckoutResponse), {
    cart: schemaReference('Cart'),
    redirectUrl: {
      description:
        'Address to which the buyer is redirected to pay. Spelled with lowercase rl in the response',
    },
  }),
  ErrorResponse: plainJsonSchemaOf(errorResponse),
};

/** The `details` that a 422 adds: what is wrong with each field, never its value. */
export const DETAILS: Json = {
  ...plainJsonSchemaOf(z.array(detail).check(z.minLength(1), z.maxLength(20))),
  description: 'What is wrong, field by field; never a value. With the code VALIDATION_ERROR only.',
  'x-extension': true,
};
