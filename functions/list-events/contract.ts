import type { EventData, EventType, CartEvent } from '../../lib/carts/cart-event.ts';
import * as z from 'zod/mini';
import type { RefundView, RetrievedCartView } from '../../lib/carts/cart-view.ts';
import { eventIdFrom } from '../../lib/events/logged-event.ts';
import type { EndpointEvent, EndpointEventType } from '../../lib/endpoints/endpoint-event.ts';
import { type LoggedType, storeEventSchema } from '../../lib/endpoints/endpoint-event-schema.ts';
import { cursorSchema } from '../../lib/events/feed-request.ts';
import { PAGE_LIMIT_MAX } from '../../lib/requests/query-parameters.ts';
import type { OperationContract } from '../operation-contract.ts';

const CART: RetrievedCartView = {
  id: '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
  createdAt: '2026-11-20T14:28:57.194Z',
  updatedAt: '2026-11-20T14:31:10.246Z',
  status: 'completed',
  customerInfo: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  meta: { orderId: 'A-1' },
  productDocumentId: 'one-course',
  productName: 'Course',
  price: { amount: 49.9, currency: 'EUR' },
  expiresAt: '2026-11-21T14:28:57.194Z',
  paymentId: '1e11445b-1d3a-4dd1-8c4a-88f1fce6c8dd',
  completedAt: '2026-11-20T14:31:10.246Z',
};

const UNPAID: RetrievedCartView = {
  ...CART,
  status: 'abandoned',
  updatedAt: '2026-11-21T14:28:57.194Z',
  paymentId: undefined,
  completedAt: undefined,
};

const REFUND: RefundView = {
  id: 'refund-1001',
  paymentId: '1e11445b-1d3a-4dd1-8c4a-88f1fce6c8dd',
  amount: 20,
  currency: 'EUR',
  refundedAt: '2026-11-23T09:12:40.000Z',
};

const exampleOf = (type: EventType, timestamp: string, data: EventData): CartEvent => {
  // As in a response, fields without a value are absent.
  return JSON.parse(JSON.stringify({ id: eventIdFrom(type), type, timestamp, data })) as CartEvent;
};

const endpointExampleOf = (type: EndpointEventType): EndpointEvent => ({
  id: eventIdFrom(type),
  type,
  timestamp: '2026-11-20T11:33:57.210Z',
  data: {
    id: 'we_0123456789abcdefghijABCD',
    url: 'https://shop.example.com/webhooks',
    enabled: true,
    createdAt: '2026-11-20T11:33:57.194Z',
    createdByKeyId: '06292f8a1b2c',
    changedByKeyId: '06292f8a1b2c',
  },
});

/** An event of each type. */
export const EVENT_EXAMPLES: Readonly<Record<LoggedType, CartEvent | EndpointEvent>> = {
  'cart.completed': exampleOf('cart.completed', '2026-11-20T14:31:10.412Z', CART),
  'cart.payment_failed': exampleOf('cart.payment_failed', '2026-11-20T14:31:10.412Z', {
    ...CART,
    status: 'payment_failed',
    completedAt: undefined,
    failureReason: 'card_declined',
  }),
  'cart.abandoned': exampleOf('cart.abandoned', '2026-11-21T14:29:30.021Z', UNPAID),
  'cart.duplicate_payment': exampleOf('cart.duplicate_payment', '2026-11-20T14:31:12.518Z', {
    ...CART,
    duplicatePaymentId: '9b2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5',
  }),
  'cart.refunded': exampleOf('cart.refunded', '2026-11-23T09:12:44.305Z', {
    ...CART,
    refunds: [REFUND],
    refundedAmount: 20,
    refund: REFUND,
  }),
  'webhook_endpoint.created': endpointExampleOf('webhook_endpoint.created'),
  'webhook_endpoint.updated': endpointExampleOf('webhook_endpoint.updated'),
  'webhook_endpoint.deleted': endpointExampleOf('webhook_endpoint.deleted'),
  'webhook_endpoint.secret_rotated': endpointExampleOf('webhook_endpoint.secret_rotated'),
};

const CURSOR = 'AZrbQ8sAAZrbR1k0c29tZXRo';

export const listEvents: OperationContract = {
  tag: 'Events',
  summary: 'Lists the events of a store, oldest first.',
  description:
    "Lists the events of your key's store and mode. Store the `cursor` of each response, and send it as `after` in the next request. You then read each event once, in the order of their recording. Events are kept for at least 30 days. If several errors apply, the response is the first of 401, 429 and 422.",
  parameters: [
    {
      name: 'after',
      in: 'query',
      description:
        'The `cursor` of the last response. Without it, the list starts with the oldest kept event. The response is 422 if the cursor is of another store or mode, or if events after it are no longer kept.',
      schema: cursorSchema,
    },
    {
      name: 'limit',
      in: 'query',
      description: `The most events of the response. Default: ${PAGE_LIMIT_MAX}`,
      schema: z.int().check(z.minimum(1), z.maximum(PAGE_LIMIT_MAX)),
    },
  ],
  response: {
    status: 200,
    description: 'The next events, and the cursor after them',
    schema: z
      .object({
        events: z.array(storeEventSchema).check(z.maxLength(PAGE_LIMIT_MAX)),
        cursor: z
          .string()
          .check(z.describe('Send it as `after` to read on. It is valid for 30 days after the response.')),
        hasMore: z
          .boolean()
          .check(
            z.describe(
              'Further events exist, so read on at once. A page can end before `limit`, even without any event.',
            ),
          ),
      })
      .check(z.meta({ id: 'EventList', description: 'Events of a store in one mode' })),
    examples: {
      completed: {
        summary: 'A cart was paid',
        value: { events: [EVENT_EXAMPLES['cart.completed']], cursor: CURSOR, hasMore: false },
      },
      none: { summary: 'Nothing new', value: { events: [], cursor: CURSOR, hasMore: false } },
    },
  },
  errors: ['invalidPayload'],
};
