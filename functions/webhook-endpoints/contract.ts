import * as z from 'zod/mini';
import {
  createEndpointRequestSchema,
  OVERLAP_SECONDS_DEFAULT,
  rotateSecretRequestSchema,
  updateEndpointRequestSchema,
} from '../../lib/endpoints/endpoint-request.ts';
import { endpointConfigSchema, endpointSchema } from '../../lib/endpoints/endpoint-view-schema.ts';
import type { EndpointView } from '../../lib/endpoints/endpoint-view.ts';
import { ENDPOINTS_MAX } from '../../lib/endpoints/endpoint.ts';
import { ENDPOINT_EXAMPLE as CONFIG } from '../../lib/event-catalogue/event-examples.ts';
import { idempotencyKeySchema } from '../../lib/idempotency/idempotency-key.ts';
import { time } from '../../lib/schemas/view-fields.ts';
import { BODY_LIMITS } from '../contract-parts.ts';
import type { OperationContract } from '../operation-contract.ts';
import { endpointId, NOT_FOUND } from './endpoint-parameter-contract.ts';

export * from './delivery-contract.ts';

const ENDPOINT: EndpointView = { ...CONFIG, lastSuccessAt: '2026-11-20T14:31:10.601Z' };

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

const secretField = z
  .string()
  .check(
    z.regex(/^whsec_\S+$/),
    z.describe('Verifies the signatures of deliveries. Store it now: no other response has it.'),
  );

const FIELDS = {
  url: 'Where the service sends events: an https address with the port 443 or 8443, without user name and password. Every IP address of its host must be public. The DNS must respond for the host within 1.5 seconds. The local stage also allows http to the same machine.',
  eventTypes: 'The types of events to send. `null` is all types, also those of later versions.',
};

const CREATED = { parameters: { endpointId: '$response.body#/webhookEndpoint/id' } };

export const createWebhookEndpoint: OperationContract = {
  tag: 'Webhooks',
  summary: 'Creates a webhook endpoint.',
  description: `Creates an endpoint that receives the events of your key's store and mode from now on. A store has at most ${ENDPOINTS_MAX} endpoints in each mode. The endpoint stays when the key ends. The service checks one host name for a key at a time. Meanwhile, another host name gets 429. If several errors apply, the response is the first of 401, 429, 422 and 409.`,
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Makes retries safe. A retry with the same key and fields returns the first endpoint, without its secret. The same key with other fields, or within 60 days after the deletion of its endpoint, returns 422. White space at its ends does not count. Example: `endpoint-1`.',
      schema: idempotencyKeySchema,
    },
  ],
  request: {
    description: BODY_LIMITS,
    schema: createEndpointRequestSchema.check(z.meta({ id: 'CreateWebhookEndpointRequest' })),
    fields: FIELDS,
    examples: {
      all: { summary: 'All events', value: { url: CONFIG.url } },
      some: { summary: 'Some events', value: { url: CONFIG.url, eventTypes: ['cart.completed'] } },
    },
  },
  response: {
    status: 201,
    description: 'The endpoint and its secret',
    schema: z.object({ webhookEndpoint: endpointConfigSchema, secret: z.optional(secretField) }).check(
      z.meta({
        id: 'CreatedWebhookEndpoint',
        description: 'A replay has no secret. If you lost it, rotate the secret.',
      }),
    ),
    examples: {
      created: { summary: 'A new endpoint', value: { webhookEndpoint: CONFIG, secret: SECRET } },
    },
    headers: {
      'Idempotent-Replayed': {
        description: 'Present if an earlier request with the same `Idempotency-Key` created the endpoint',
        schema: z.literal('true'),
      },
    },
    links: {
      retrieval: { operationId: 'getWebhookEndpoint', description: 'Retrieves it', ...CREATED },
      change: { operationId: 'updateWebhookEndpoint', description: 'Changes it', ...CREATED },
      rotation: { operationId: 'rotateWebhookSecret', description: 'Replaces its secret', ...CREATED },
      test: { operationId: 'testWebhookEndpoint', description: 'Sends a test event to it', ...CREATED },
      deliveries: { operationId: 'listWebhookDeliveries', description: 'Lists its deliveries', ...CREATED },
      deletion: { operationId: 'deleteWebhookEndpoint', description: 'Deletes it', ...CREATED },
    },
  },
  errors: ['idempotencyKeyReused', 'tooManyWebhookEndpoints', 'webhookEndpointLocked'],
};

export const listWebhookEndpoints: OperationContract = {
  tag: 'Webhooks',
  summary: 'Lists the webhook endpoints of a store, oldest first.',
  description: `Lists all endpoints of your key's store and mode, at most ${ENDPOINTS_MAX}.`,
  response: {
    status: 200,
    description: 'The endpoints, without their secrets',
    schema: z
      .object({ webhookEndpoints: z.array(endpointSchema) })
      .check(z.meta({ id: 'WebhookEndpointList' })),
    examples: { one: { summary: 'One endpoint', value: { webhookEndpoints: [ENDPOINT] } } },
  },
  errors: [],
};

const ONE_ENDPOINT = {
  status: 200,
  description: 'The endpoint, without its secret',
  schema: endpointSchema,
  examples: { enabled: { summary: 'An endpoint that receives events', value: ENDPOINT } },
} as const;

export const getWebhookEndpoint: OperationContract = {
  tag: 'Webhooks',
  summary: 'Retrieves a webhook endpoint.',
  description: NOT_FOUND,
  parameters: [endpointId],
  response: ONE_ENDPOINT,
  errors: ['webhookEndpointNotFound'],
};

export const updateWebhookEndpoint: OperationContract = {
  tag: 'Webhooks',
  summary: 'Changes a webhook endpoint.',
  description: `Changes the fields that the request has. During a pause after failures, a new address or \`enabled: true\` sends one waiting delivery at once. The others follow when it succeeds. The service checks one host name for a key at a time. Meanwhile, another host name gets 429. ${NOT_FOUND} The 409 comes after these.`,
  parameters: [endpointId],
  request: {
    description: BODY_LIMITS,
    schema: updateEndpointRequestSchema.check(z.meta({ id: 'UpdateWebhookEndpointRequest' })),
    fields: {
      ...FIELDS,
      enabled:
        '`false` stops all deliveries to the endpoint. `true` resumes them, and during a pause after failures, it sends one waiting delivery at once. Events in between are not delivered: read the list of events. If we disabled the endpoint, `true` and a new address return 409.',
    },
    examples: {
      address: { summary: 'Another address', value: { url: 'https://shop.example.com/hooks' } },
      all: { summary: 'All types of events', value: { eventTypes: null } },
      disable: { summary: 'No deliveries for now', value: { enabled: false } },
    },
  },
  response: ONE_ENDPOINT,
  errors: ['webhookEndpointNotFound', 'webhookEndpointLocked'],
};

export const deleteWebhookEndpoint: OperationContract = {
  tag: 'Webhooks',
  summary: 'Deletes a webhook endpoint and its secret.',
  description: `Deliveries in flight may still arrive. If we disabled the endpoint, the response is 409. ${NOT_FOUND} The 409 comes after these.`,
  parameters: [endpointId],
  response: {
    status: 200,
    description: 'The endpoint is deleted',
    schema: z
      .object({ id: z.string(), deleted: z.literal(true) })
      .check(z.meta({ id: 'DeletedWebhookEndpoint' })),
    examples: { deleted: { summary: 'Deleted', value: { id: CONFIG.id, deleted: true } } },
  },
  errors: ['webhookEndpointNotFound', 'webhookEndpointLocked'],
};

export const rotateWebhookSecret: OperationContract = {
  tag: 'Webhooks',
  summary: 'Replaces the secret of a webhook endpoint.',
  description: `Until the overlap ends, each delivery has two signatures: accept either. An even older secret ends at once. ${NOT_FOUND}`,
  parameters: [endpointId],
  request: {
    description: `${BODY_LIMITS}. \`{}\` is valid.`,
    schema: rotateSecretRequestSchema.check(z.meta({ id: 'RotateWebhookSecretRequest' })),
    fields: {
      overlapSeconds: `How long both secrets sign. For a leaked secret, send 0. Default: ${OVERLAP_SECONDS_DEFAULT}`,
    },
    examples: {
      day: { summary: 'A day to deploy the new secret', value: { overlapSeconds: 86_400 } },
      leaked: { summary: 'The old secret leaked', value: { overlapSeconds: 0 } },
    },
  },
  response: {
    status: 200,
    description: 'The new secret',
    schema: z
      .object({
        id: z.string(),
        secret: secretField,
        previousSecretEndsAt: time('When the old secret no longer signs'),
      })
      .check(z.meta({ id: 'RotatedWebhookSecret' })),
    examples: {
      rotated: {
        summary: 'A new secret',
        value: { id: CONFIG.id, secret: SECRET, previousSecretEndsAt: '2026-11-21T11:33:57.194Z' },
      },
    },
  },
  errors: ['webhookEndpointNotFound', 'webhookSecretChanged'],
};
