import * as z from 'zod/mini';
import { EVENT_MEANINGS, EVENT_SCHEMAS, schemaNameOf } from '../carts/cart-event-schema.ts';
import type { EventType } from '../carts/cart-event.ts';

// Only contracts import this file, because the functions do not validate what they send.

/** The type of an event, or of an operator's test. */
export type DeliveryType = EventType | 'webhook.ping';

/** The meaning of each type of event that webhooks receive. */
export const WEBHOOK_MEANINGS: Readonly<Record<DeliveryType, string>> = {
  ...EVENT_MEANINGS,
  'webhook.ping': 'An operator tests your endpoint. The list of events does not have this event.',
};

const ping = 'webhook.ping';

/** The schema of each type of event that webhooks receive: those of the log, and an operator's test. */
export const WEBHOOK_SCHEMAS = {
  ...EVENT_SCHEMAS,
  [ping]: z
    .object({ ...EVENT_SCHEMAS['cart.completed'].shape, type: z.literal(ping), data: z.object({}) })
    .check(z.meta({ id: schemaNameOf(ping), description: WEBHOOK_MEANINGS[ping] })),
} satisfies Readonly<Record<DeliveryType, z.ZodMiniType>>;
