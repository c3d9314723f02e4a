import * as z from 'zod/mini';
import { LOGGED_TYPES } from './endpoint-event.ts';
import { ENDPOINT_URL_CHARACTERS_MAX } from './endpoint-url.ts';

const OBJECT = 'Must be a JSON object';

/** `parseEndpointUrl` has the other rules, which depend on the stage. */
const url = z
  .string({ error: ({ input }) => (input === undefined ? 'url is required' : 'Must be a string') })
  .check(
    z.maxLength(ENDPOINT_URL_CHARACTERS_MAX, `Must have at most ${ENDPOINT_URL_CHARACTERS_MAX} characters`),
  );

/** A pattern, not an enumeration: clients generated from the contract accept the types of later versions. */
const eventType = z
  .string('Must be a string')
  .check(
    z.regex(
      new RegExp(`^(?:${LOGGED_TYPES.join('|').replaceAll('.', String.raw`\.`)})$`),
      `Must be one of ${LOGGED_TYPES.join(', ')}`,
    ),
    z.meta({ maxLength: Math.max(...LOGGED_TYPES.map(({ length }) => length)) }),
  );

/** More than there are types: a repeated one counts once. */
const EVENT_TYPES_MAX = 100;

const eventTypes = z.pipe(
  z
    .array(eventType, 'Must be an array')
    .check(
      z.minLength(1, 'Must have a type. For all types, send null'),
      z.maxLength(EVENT_TYPES_MAX, `Must have at most ${EVENT_TYPES_MAX} types`),
    ),
  z.transform((types) => [...new Set(types)]),
);

/** `null` is all types. */
const optionalTypes = z.optional(z.nullable(eventTypes));

/** The body of a creation. It drops unknown fields. */
export const createEndpointRequestSchema = z.object({ url, eventTypes: optionalTypes }, OBJECT);

/** The body of a change. An absent field stays as it is. */
export const updateEndpointRequestSchema = z.object(
  {
    url: z.optional(url),
    eventTypes: optionalTypes,
    enabled: z.optional(z.boolean('Must be true or false')),
  },
  OBJECT,
);

const OVERLAP_SECONDS_MAX = 7 * 86_400;

/** The default suffices for a deployment of the receiver. */
export const OVERLAP_SECONDS_DEFAULT = 86_400;

const OVERLAP = `Must be a whole number from 0 to ${OVERLAP_SECONDS_MAX}`;

/** The body of a rotation. */
export const rotateSecretRequestSchema = z.object(
  {
    overlapSeconds: z.optional(
      z.int(OVERLAP).check(z.minimum(0, OVERLAP), z.maximum(OVERLAP_SECONDS_MAX, OVERLAP)),
    ),
  },
  OBJECT,
);
