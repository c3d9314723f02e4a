import { type EventData, type EventType, EVENT_TYPES, type CartEvent } from './cart-event.ts';
import * as z from 'zod/mini';
import { refundSchema, retrievedCartSchema } from './cart-view-schema.ts';
import type { FieldsOf } from '../core/fields-of.ts';

// Only contracts import this file, because the functions do not validate their responses.

const duplicatePaymentId = z
  .guid()
  .check(z.describe('The second payment, which we refund. `paymentId` completed the cart.'));

/** The data of the events of a type. */
const dataOf = (type: EventType) => {
  switch (type) {
    case 'cart.duplicate_payment':
      return z
        .object({
          ...retrievedCartSchema.shape,
          duplicatePaymentId,
        } satisfies FieldsOf<Omit<EventData, 'refund'>>)
        .check(z.meta({ id: 'DuplicatePaymentData', description: 'The cart, and the second payment' }));
    case 'cart.refunded':
      return z
        .object({
          ...retrievedCartSchema.shape,
          refund: refundSchema,
        } satisfies FieldsOf<Omit<EventData, 'duplicatePaymentId'>>)
        .check(z.meta({ id: 'RefundedData', description: 'The cart, and the refund' }));
    case 'cart.completed':
    case 'cart.payment_failed':
    case 'cart.abandoned':
      return retrievedCartSchema;
  }
};

/** The meaning of each type of event. */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  'cart.completed': 'A payment completed the cart. Fulfil the order.',
  'cart.payment_failed': 'A payment failed. The buyer can try again.',
  'cart.abandoned': 'The cart expired without a payment. A late payment can still complete it.',
  'cart.duplicate_payment': 'A second payment of a completed cart succeeded. Do nothing: we refund it.',
  'cart.refunded': 'The buyer got a refund, full or partial. The cart keeps its status.',
};

/** `cart.payment_failed` becomes `CartPaymentFailedEvent`, the name of its schema. */
export const schemaNameOf = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The fields that every event has. */
export const eventFields = {
  id: z
    .string()
    .check(
      z.regex(/^evt_[0-9a-f]{32}$/),
      z.describe('Identifier of the event. A repeated delivery has the same one.'),
    ),
  timestamp: z.iso
    .datetime()
    .check(
      z.describe(
        'When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock, timestamps can go back.',
      ),
    ),
  test: z.optional(
    z
      .literal(true)
      .check(
        z.describe('Present if you sent the event to test an endpoint. Its data is an example: ignore it.'),
      ),
  ),
};

const eventSchemaOf = (type: EventType) => {
  const { id, timestamp, test } = eventFields;
  return z
    .object({ id, type: z.literal(type), timestamp, data: dataOf(type), test } satisfies FieldsOf<CartEvent>)
    .check(z.meta({ id: schemaNameOf(type), description: EVENT_MEANINGS[type] }));
};

type EventSchema = ReturnType<typeof eventSchemaOf>;

/** The schema of each type of event. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, eventSchemaOf(type)]),
) as Readonly<Record<EventType, EventSchema>>;
