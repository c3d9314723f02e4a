import * as z from 'zod/mini';
import type { CartEventData } from '../carts/cart-event.ts';
import { refundSchema, retrievedCartSchema } from '../carts/cart-view-schema.ts';
import { endpointConfigSchema } from '../endpoints/endpoint-view-schema.ts';
import {
  CART_EVENT_TYPES,
  type CartEventType,
  ENDPOINT_EVENT_TYPES,
  type EndpointEventType,
  PING_TYPE,
  type WebhookType,
} from '../events/event-types.ts';
import type { FieldsOf } from '../schemas/view-fields.ts';
import { eventFields, eventSchema } from './event-envelope.ts';

// No function imports this file, because the functions do not validate what they send.

/** The meaning of each type of event about carts. */
const CART_MEANINGS: Readonly<Record<CartEventType, string>> = {
  'cart.completed': 'A payment completed the cart. Fulfil the order.',
  'cart.payment_failed': 'A payment failed. The buyer can try again.',
  'cart.abandoned': 'The cart expired without a payment. A late payment can still complete it.',
  'cart.duplicate_payment': 'A second payment of a completed cart succeeded. Do nothing: we refund it.',
  'cart.refunded': 'The buyer got a refund, full or partial. The cart keeps its status.',
};

/** The next step of a merchant after each event about a cart, in Markdown. */
export const CART_NEXT_STEPS: Readonly<Record<CartEventType, string>> = {
  'cart.completed': 'compare the cart with the order, and deliver once.',
  'cart.payment_failed': 'offer the same `redirectUrl` again. The retrieved cart has it.',
  'cart.abandoned': 'release the stock, or remind the buyer. A late payment can still follow.',
  'cart.duplicate_payment': 'do nothing. We refund the second payment, `duplicatePaymentId`.',
  'cart.refunded':
    "if `refund.paymentId` is the cart's `paymentId`, correct the order. `refundedAmount` is the sum so far.\n  Otherwise, a duplicate payment was refunded: do nothing.",
};

/** The meaning of each type of event about webhook endpoints. */
const ENDPOINT_MEANINGS: Readonly<Record<EndpointEventType, string>> = {
  'webhook_endpoint.created':
    'A webhook endpoint was created. If it is not yours, ask us to revoke the API key.',
  'webhook_endpoint.updated':
    'A webhook endpoint got another address or other types, or was enabled or disabled.',
  'webhook_endpoint.disabled':
    'The service disabled a webhook endpoint: `disabledReason` is `gone` or `failing`. Enable it when it works again.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.secret_rotated': 'A webhook endpoint got another secret.',
};

/** The meaning of each type of event that webhooks receive. */
export const WEBHOOK_MEANINGS: Readonly<Record<WebhookType, string>> = {
  ...CART_MEANINGS,
  ...ENDPOINT_MEANINGS,
  [PING_TYPE]: 'You test your endpoint, or an operator does. The list of events does not have this event.',
};

const duplicatePaymentId = z
  .guid()
  .check(z.describe('The second payment, which we refund. `paymentId` completed the cart.'));

/** The data of the events of carts, by type. */
const cartEventData = (type: CartEventType) => {
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

const endpointEventData = z
  .object({
    ...endpointConfigSchema.shape,
    changedByKeyId: z.optional(
      z
        .string()
        .check(
          z.describe('The beginning of the id of the API key that made the change. Absent if we made it.'),
        ),
    ),
  })
  .check(z.meta({ id: 'WebhookEndpointEventData', description: 'The endpoint after the change' }));

const cartEventSchemaOf = (type: CartEventType) =>
  eventSchema(type, CART_MEANINGS[type], cartEventData(type));

const endpointEventSchemaOf = (type: EndpointEventType) =>
  eventSchema(type, ENDPOINT_MEANINGS[type], endpointEventData);

/** The schema of each type of event in a log. */
const LOGGED_SCHEMAS = {
  ...(Object.fromEntries(CART_EVENT_TYPES.map((type) => [type, cartEventSchemaOf(type)])) as Readonly<
    Record<CartEventType, ReturnType<typeof cartEventSchemaOf>>
  >),
  ...(Object.fromEntries(ENDPOINT_EVENT_TYPES.map((type) => [type, endpointEventSchemaOf(type)])) as Readonly<
    Record<EndpointEventType, ReturnType<typeof endpointEventSchemaOf>>
  >),
};

/** The schema of each type of event that webhooks receive: those of the log, and a test. */
export const WEBHOOK_SCHEMAS = {
  ...LOGGED_SCHEMAS,
  [PING_TYPE]: eventSchema(PING_TYPE, WEBHOOK_MEANINGS[PING_TYPE], z.object({})),
} satisfies Readonly<Record<WebhookType, z.ZodMiniType>>;

/** Clients generated today read a page with an event of a later type. */
const otherEvent = z
  .object({
    id: eventFields.id,
    type: z.string().check(z.describe('A type that this version does not have')),
    timestamp: eventFields.timestamp,
    data: z.object({}).check(z.meta({ additionalProperties: true })),
  })
  .check(z.meta({ id: 'OtherEvent', description: 'An event of a later version. Ignore it.' }));

/** Generators try alternatives in order, so the open one is the last. A discriminator would reject an unknown type. */
export const feedEventSchema = z.union([...Object.values(LOGGED_SCHEMAS), otherEvent]).check(
  z.meta({
    id: 'Event',
    description: 'A change of a cart or of a webhook endpoint. Ignore events of an unknown type.',
  }),
);
