import * as z from 'zod/mini';
import { hasCharacters } from '../core/characters.ts';
import { EVENT_TYPES } from '../events/event-types.ts';
import { IDEMPOTENCY_FOREIGN_NAMES } from '../idempotency/idempotency-key.ts';
import { PAGE_FOREIGN_NAMES } from '../requests/foreign-names.ts';
import type { ForeignNames, UnsupportedNames } from '../requests/foreign-names.ts';
import { MUST_BE_STRING, optional, requiredString, wellFormed } from '../schemas/input-fields.ts';
import { ENDPOINT_URL_CHARACTERS_MAX } from './address/endpoint-url.ts';

const OBJECT = 'Must be a JSON object';

/** `parseEndpointUrl` has the other rules, which depend on the stage. */
const url = requiredString().check(
  wellFormed(),
  z.refine(
    (value) => hasCharacters(value, 0, ENDPOINT_URL_CHARACTERS_MAX),
    `Must have at most ${ENDPOINT_URL_CHARACTERS_MAX} characters`,
  ),
  z.meta({ maxLength: ENDPOINT_URL_CHARACTERS_MAX }),
);

/**
 * One of these types of events. A pattern, not an enumeration: clients generated from the contract accept the types of later
 * versions.
 */
export const eventTypeSchema = (types: readonly string[]) =>
  z
    .string(MUST_BE_STRING)
    .check(
      z.regex(
        new RegExp(`^(?:${types.join('|').replaceAll('.', String.raw`\.`)})$`),
        `Must be one of ${types.join(', ')}`,
      ),
      z.meta({ maxLength: Math.max(...types.map(({ length }) => length)), 'x-extensible-enum': types }),
    );

/** More than there are types: a repeated one counts once. */
const EVENT_TYPES_MAX = 100;

const eventTypes = z.pipe(
  z
    .array(eventTypeSchema(EVENT_TYPES), 'Must be an array')
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
    url: optional(url),
    eventTypes: optionalTypes,
    enabled: optional(z.boolean('Must be true or false')),
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
    overlapSeconds: optional(
      z.int(OVERLAP).check(z.minimum(0, OVERLAP), z.maximum(OVERLAP_SECONDS_MAX, OVERLAP)),
    ),
  },
  OBJECT,
);

const ALIASES = {
  url: 'webhookurl endpointurl callbackurl targeturl target address uri endpoint',
  eventTypes: 'events event enabledevents types topics topic filtertypes subscribedevents subscriptions',
  enabled: 'active isactive isenabled',
  overlapSeconds: 'overlap overlaptime graceperiod graceperiodseconds graceseconds expiresin expireseconds',
};

const UNSUPPORTED: readonly UnsupportedNames[] = [
  { names: 'secret signingsecret signingkey', reason: 'the service makes each secret' },
  { names: 'webhookendpoint webhook data', reason: 'send its fields at the top level' },
];

/** The names of a new endpoint in other APIs. */
export const CREATE_ENDPOINT_FOREIGN_NAMES: ForeignNames = {
  headers: { aliases: { 'idempotency-key': IDEMPOTENCY_FOREIGN_NAMES } },
  body: {
    aliases: ALIASES,
    unsupported: [
      ...UNSUPPORTED,
      {
        names: 'enabled active isactive isenabled disabled status',
        reason: 'a new endpoint is enabled, so change it afterwards',
        isHarmless: (value) => value === true,
      },
    ],
  },
};

/** The names of a change of an endpoint in other APIs. */
export const UPDATE_ENDPOINT_FOREIGN_NAMES: ForeignNames = {
  body: {
    aliases: ALIASES,
    unsupported: [
      ...UNSUPPORTED,
      { names: 'disabled status paused', reason: 'send enabled', beside: 'enabled' },
    ],
  },
};

/** The names of a rotation in other APIs. */
export const ROTATE_SECRET_FOREIGN_NAMES: ForeignNames = {
  body: { aliases: ALIASES, unsupported: UNSUPPORTED },
};

/** The list of endpoints has one page. */
export const LIST_ENDPOINTS_FOREIGN_NAMES: ForeignNames = {
  query: {
    unsupported: [
      {
        names: `${PAGE_FOREIGN_NAMES.after} ${PAGE_FOREIGN_NAMES.limit} after limit before`,
        reason: 'one page has all endpoints',
      },
    ],
  },
};
