import * as z from 'zod/mini';
import { retrievedCartSchema } from '../carts/cart-view-schema.ts';
import type { FieldsOf } from '../core/fields-of.ts';
import type { DeliveryType } from '../webhooks/delivery.ts';
import { type EventData, type EventType, EVENT_TYPES, type StoreEvent } from './store-event.ts';

// Only contracts import this file, because the functions do not validate their responses.

const duplicatePaymentId = z
  .guid()
  .check(z.describe('The payment to refund. `paymentId` completed the cart.'));

/** The data of the events of a type. */
const dataOf = (type: EventType) => {
  switch (type) {
    case 'cart.duplicate_payment':
      return z
        .object({ ...retrievedCartSchema.shape, duplicatePaymentId } satisfies FieldsOf<EventData>)
        .check(z.meta({ id: 'DuplicatePaymentData', description: 'The cart, and the payment to refund' }));
    case 'cart.completed':
    case 'cart.payment_failed':
    case 'cart.abandoned':
      return retrievedCartSchema;
  }
};

/** The meaning of each type of event. */
export const EVENT_MEANINGS: Readonly<Record<DeliveryType, string>> = {
  'cart.completed': 'A payment completed the cart. Fulfil the order.',
  'cart.payment_failed': 'A payment failed. The buyer can try again.',
  'cart.abandoned': 'The cart expired without a payment. A late payment can still complete it.',
  'cart.duplicate_payment': 'A second payment of a completed cart succeeded. It needs a refund.',
  'webhook.ping': 'An operator tests your endpoint. The list of events does not have this event.',
};

/** `cart.payment_failed` becomes `CartPaymentFailedEvent`, the name of its schema. */
const schemaNameOf = (type: DeliveryType): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const eventSchemaOf = (type: EventType) =>
  z
    .object({
      id: z
        .string()
        .check(
          z.regex(/^evt_[0-9a-f]{32}$/),
          z.describe('Identifier of the event. A repeated delivery has the same one.'),
        ),
      type: z.literal(type),
      timestamp: z.iso
        .datetime()
        .check(
          z.describe(
            'When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock, timestamps can go back.',
          ),
        ),
      data: dataOf(type),
    } satisfies FieldsOf<StoreEvent>)
    .check(z.meta({ id: schemaNameOf(type), description: EVENT_MEANINGS[type] }));

type EventSchema = ReturnType<typeof eventSchemaOf>;

/** The schema of each type of event. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, eventSchemaOf(type)]),
) as Readonly<Record<EventType, EventSchema>>;

const ping = 'webhook.ping';

/** The schema of each type of event that webhooks receive: those of the log, and an operator's test. */
export const WEBHOOK_SCHEMAS = {
  ...EVENT_SCHEMAS,
  [ping]: z
    .object({ ...EVENT_SCHEMAS['cart.completed'].shape, type: z.literal(ping), data: z.object({}) })
    .check(z.meta({ id: schemaNameOf(ping), description: EVENT_MEANINGS[ping] })),
} satisfies Readonly<Record<DeliveryType, z.ZodMiniType>>;

/** OpenAPI's discriminator. Generators for languages without literal types need it. */
const discriminator = {
  propertyName: 'type',
  mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, `#/$defs/${schemaNameOf(type)}`])),
};

const eventSchemas = Object.values(EVENT_SCHEMAS) as [EventSchema, ...EventSchema[]];

export const storeEventSchema = z.discriminatedUnion('type', eventSchemas).check(
  z.meta({
    id: 'Event',
    description: 'A change of a cart. Ignore events of an unknown type.',
    discriminator,
  }),
);
