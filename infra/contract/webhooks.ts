import * as z from 'zod/mini';
import { pascalCase } from '../../lib/core/letter-case.ts';
import { EVENT_EXAMPLES } from '../../lib/event-catalogue/event-examples.ts';
import { WEBHOOK_MEANINGS, WEBHOOK_SCHEMAS } from '../../lib/event-catalogue/event-schemas.ts';
import { PING_TYPE, type WebhookType } from '../../lib/events/event-types.ts';
import { type Body, bodyOf, inlineSchema, type Json, schemaReference } from './json-schema.ts';

/** The headers of every delivery: Standard Webhooks 1.0.0. */
const HEADERS = [
  {
    name: 'webhook-id',
    description: 'The `id` of the event, the same on each attempt. Handle each id once.',
    schema: z.string().check(z.minLength(1)),
  },
  {
    name: 'webhook-timestamp',
    description:
      'When this attempt was sent, in Unix seconds. Reject a time that is more than 5 minutes from your own.',
    schema: z.int().check(z.minimum(0)),
  },
  {
    name: 'webhook-signature',
    description:
      'Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the secret of your endpoint. Accept the request if one of them is valid.',
    schema: z.string().check(z.regex(/^v1,\S+( v1,\S+)*$/)),
  },
] as const;

const PARAMETERS: readonly Json[] = HEADERS.map(({ name, description, schema }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: inlineSchema(schema),
}));

const RESPONSES: Json = {
  '2XX': { description: 'You received the event. The service does not send it again.' },
  '410': { description: 'You want no more events. The service disables the endpoint.' },
  default: {
    description:
      'The attempt failed. A redirect, or no response within 10 s, is a failure too. The service retries.',
  },
};

const TYPES = Object.keys(WEBHOOK_SCHEMAS) as WebhookType[];

const PING_EXAMPLE = {
  id: 'evt_5f0c9d1b7a3e4c28b6d9e0f1a2b3c4d5',
  type: PING_TYPE,
  timestamp: '2026-11-20T14:31:10.412Z',
  data: {},
};

const exampleOf = (type: WebhookType) => (type === PING_TYPE ? PING_EXAMPLE : EVENT_EXAMPLES[type]);

/** The name of an operation: `cart.completed` becomes `onCartCompleted`. */
const operationIdOf = (type: WebhookType): string => `on${pascalCase(type)}`;

const sendingOf = (type: WebhookType): string =>
  type === PING_TYPE
    ? 'The service sends the event once, to the endpoint under test.'
    : 'The service sends the event to each of your endpoints that selects its type, at least once and in no fixed order.';

const webhookOf = (type: WebhookType, { name }: Body): Json => ({
  post: {
    operationId: operationIdOf(type),
    tags: ['Events'],
    summary: WEBHOOK_MEANINGS[type],
    description: `${sendingOf(type)} Verify the signature over the raw body, respond with 2xx at once, and handle each \`webhook-id\` once.`,
    security: [],
    parameters: PARAMETERS,
    requestBody: {
      required: true,
      description: 'The event. `listEvents` returns the same events, except test events.',
      content: {
        'application/json': {
          schema: schemaReference(name),
          examples: { event: { summary: WEBHOOK_MEANINGS[type], value: exampleOf(type) } },
        },
      },
    },
    responses: RESPONSES,
  },
});

/** Describes the events that the service sends to merchants' endpoints, and the components that they need. */
export const describeWebhooks = (): { readonly webhooks: Json; readonly schemas: Json } => {
  const bodies = TYPES.map((type) => [type, bodyOf(WEBHOOK_SCHEMAS[type], `the event ${type}`)] as const);
  return {
    webhooks: Object.fromEntries(bodies.map(([type, body]) => [type, webhookOf(type, body)])),
    schemas: Object.assign({}, ...bodies.map(([, { components }]) => components)) as Json,
  };
};
