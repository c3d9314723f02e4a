import * as z from 'zod/mini';
import { pascalCase } from '../core/letter-case.ts';
import type { EventBody } from '../events/logged-event.ts';
import type { FieldsOf } from '../schemas/view-fields.ts';

// No function imports this file, because the functions do not validate what they send.

/** `cart.payment_failed` becomes `CartPaymentFailedEvent`, the name of its schema. */
const schemaNameOf = (type: string): string => `${pascalCase(type)}Event`;

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

/** The schema of the events of a type. */
export const eventSchema = <Type extends string, Data extends z.ZodMiniType<object>>(
  type: Type,
  meaning: string,
  data: Data,
) => {
  const { id, timestamp, test } = eventFields;
  return z
    .object({ id, type: z.literal(type), timestamp, data, test } satisfies FieldsOf<EventBody>)
    .check(z.meta({ id: schemaNameOf(type), description: meaning }));
};
