import * as z from 'zod/mini';
import {
  beforeSchema,
  deliveriesCursorSchema,
  DELIVERIES_LIMIT_DEFAULT,
} from '../../lib/deliveries/records/deliveries-request.ts';
import { deliverySchema } from '../../lib/deliveries/records/delivery-view-schema.ts';
import type { DeliveryView } from '../../lib/deliveries/records/delivery-view.ts';
import { ATTEMPTS_KEPT_MAX } from '../../lib/deliveries/records/delivery.ts';
import { testTypeSchema } from '../../lib/deliveries/test-events/test-event-request.ts';
import { PAGE_LIMIT_MAX } from '../../lib/requests/query-parameters.ts';
import { limitParameter, pathId } from '../contract-parts.ts';
import type { OperationContract } from '../operation-contract.ts';
import { endpointId, NOT_FOUND } from './endpoint-parameter-contract.ts';

const EVENT_ID = 'evt_0d2f6c1b9a3e4c28b6d9e0f1a2b3c4d5';

const DELIVERY: DeliveryView = {
  id: `${EVENT_ID}-1795185070412`,
  eventId: EVENT_ID,
  eventType: 'cart.completed',
  recordedAt: '2026-11-20T14:31:10.412Z',
  status: 'succeeded',
  attempts: [{ attempt: 1, at: '2026-11-20T14:31:10.530Z', status: 204, durationMs: 71, response: '' }],
};

const SENT = {
  status: 202,
  description: 'The service sends the event within seconds. Its result appears in the list of deliveries.',
  schema: z
    .object({
      deliveryId: z.string().check(z.describe('Identifier of the delivery in the list of deliveries')),
      eventId: z.string().check(z.describe('The `webhook-id` of the request that you receive')),
    })
    .check(z.meta({ id: 'SentWebhookEvent' })),
  examples: { sent: { summary: 'Sent', value: { deliveryId: DELIVERY.id, eventId: EVENT_ID } } },
} as const;

export const testWebhookEndpoint: OperationContract = {
  tag: 'Webhooks',
  summary: 'Sends a test event to a webhook endpoint.',
  description: `Sends one event, once, also while the service pauses deliveries after failures, and whatever types the endpoint selects. The event has \`test: true\`. An endpoint gets at most one in ten seconds, or one a minute during that pause. ${NOT_FOUND} Then follow 409, and the 429 of the test event.`,
  parameters: [
    endpointId,
    {
      name: 'eventType',
      in: 'query',
      description:
        'The type of the event, whose data is that of the example in this document. Live mode sends `webhook.ping` alone. Default: `webhook.ping`, without data',
      schema: testTypeSchema,
    },
  ],
  response: SENT,
  errors: ['webhookEndpointNotFound', 'webhookEndpointDisabled', 'testEventLimited'],
};

export const listWebhookDeliveries: OperationContract = {
  tag: 'Webhooks',
  summary: 'Lists the deliveries of a webhook endpoint, the latest event first.',
  description: `A delivery is one event for one endpoint. It has its last ${ATTEMPTS_KEPT_MAX} attempts. Deliveries are kept for 30 days after their latest attempt. A page has at most 1 MB, so it can have fewer deliveries than \`limit\`. If \`hasMore\` is \`true\`, there are more. ${NOT_FOUND}`,
  parameters: [
    endpointId,
    {
      name: 'after',
      in: 'query',
      description:
        'The `cursor` of the last response, to read on. Without it, the list starts with the latest event. Do not send it with `before`.',
      schema: deliveriesCursorSchema,
    },
    {
      name: 'before',
      in: 'query',
      description: 'A time, such as the `recordedAt` of a delivery. The response has earlier events.',
      schema: beforeSchema,
    },
    limitParameter('deliveries', DELIVERIES_LIMIT_DEFAULT),
  ],
  response: {
    status: 200,
    description: 'A page of deliveries',
    schema: z
      .object({
        deliveries: z.array(deliverySchema).check(z.maxLength(PAGE_LIMIT_MAX)),
        cursor: z.optional(
          z.string().check(z.describe('Send it as `after` to read on. Absent from the last page.')),
        ),
        hasMore: z.boolean().check(z.describe('Earlier deliveries exist: read on with `after`.')),
      })
      .check(z.meta({ id: 'WebhookDeliveryList' })),
    examples: {
      one: { summary: 'One delivery', value: { deliveries: [DELIVERY], hasMore: false } },
      page: { summary: 'A page', value: { deliveries: [DELIVERY], cursor: DELIVERY.id, hasMore: true } },
    },
  },
  errors: ['webhookEndpointNotFound'],
};

export const resendWebhookDelivery: OperationContract = {
  tag: 'Webhooks',
  summary: 'Sends the event of a delivery again.',
  description: `Sends the event with its old id and a new schedule of attempts. An endpoint that handled the id ignores it. Of each endpoint, one delivery can be sent again in ten seconds. ${NOT_FOUND} Then follow 409, and the 429 of the resend.`,
  parameters: [endpointId, pathId('deliveryId', 'Identifier of the delivery', DELIVERY.id)],
  response: SENT,
  errors: ['webhookEndpointNotFound', 'webhookDeliveryNotFound', 'webhookEndpointDisabled', 'resendLimited'],
};
