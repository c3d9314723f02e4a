import * as z from 'zod/mini';
import type { FieldsOf } from '../core/fields-of.ts';
import { eventSchema } from '../events/event-schema.ts';
import { CART_EVENT_TYPES, type CartEventType } from '../events/event-types.ts';
import type { CartEventData } from './cart-event.ts';
import { refundSchema, retrievedCartSchema } from './cart-view-schema.ts';

// Only contracts import this file, because the functions do not validate their responses.

const duplicatePaymentId = z
  .guid()
  .check(z.describe('The second payment, which we refund. `paymentId` completed the cart.'));

/** The data of the events of a type. */
const dataOf = (type: CartEventType) => {
  switch (type) {
    case 'cart.duplicate_payment':
      return z
        .object({
          ...retrievedCartSchema.shape,
          duplicatePaymentId,
        } satisfies FieldsOf<Omit<CartEventData, 'refund'>>)
        .check(z.meta({ id: 'DuplicatePaymentData', description: 'The cart, and the second payment' }));
    case 'cart.refunded':
      return z
        .object({
          ...retrievedCartSchema.shape,
          refund: refundSchema,
        } satisfies FieldsOf<Omit<CartEventData, 'duplicatePaymentId'>>)
        .check(z.meta({ id: 'RefundedData', description: 'The cart, and the refund' }));
    case 'cart.completed':
    case 'cart.payment_failed':
    case 'cart.abandoned':
      return retrievedCartSchema;
  }
};

/** The meaning of each type of event. */
export const CART_EVENT_MEANINGS: Readonly<Record<CartEventType, string>> = {
  'cart.completed': 'A payment completed the cart. Fulfil the order.',
  'cart.payment_failed': 'A payment failed. The buyer can try again.',
  'cart.abandoned': 'The cart expired without a payment. A late payment can still complete it.',
  'cart.duplicate_payment': 'A second payment of a completed cart succeeded. Do nothing: we refund it.',
  'cart.refunded': 'The buyer got a refund, full or partial. The cart keeps its status.',
};

const schemaOf = (type: CartEventType) => eventSchema(type, CART_EVENT_MEANINGS[type], dataOf(type));

/** The schema of each type of event. */
export const CART_EVENT_SCHEMAS = Object.fromEntries(
  CART_EVENT_TYPES.map((type) => [type, schemaOf(type)]),
) as Readonly<Record<CartEventType, ReturnType<typeof schemaOf>>>;
