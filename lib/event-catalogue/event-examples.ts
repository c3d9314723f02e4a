import type { CartEvent, CartEventData } from '../carts/cart-event.ts';
import type { RefundView, RetrievedCartView } from '../carts/cart-view.ts';
import type { EndpointEvent } from '../endpoints/endpoint-event.ts';
import type { EndpointConfigView } from '../endpoints/endpoint-view.ts';
import type { CartEventType, EndpointEventType, EventType } from '../events/event-types.ts';
import { eventIdFrom } from '../events/logged-event.ts';

// The contract shows these events, and test events have their data.

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

const cartExampleOf = (type: CartEventType, timestamp: string, data: CartEventData): CartEvent => {
  // As in a response, fields without a value are absent.
  return JSON.parse(JSON.stringify({ id: eventIdFrom(type), type, timestamp, data })) as CartEvent;
};

/** A new endpoint. */
export const ENDPOINT_EXAMPLE: EndpointConfigView = {
  id: 'we_0123456789abcdefghijABCD',
  url: 'https://shop.example.com/webhooks',
  enabled: true,
  createdAt: '2026-11-20T11:33:57.194Z',
  createdByKeyId: '06292f8a1b2c',
};

const endpointExampleOf = (type: EndpointEventType): EndpointEvent => ({
  id: eventIdFrom(type),
  type,
  timestamp: '2026-11-20T11:33:57.210Z',
  data: { ...ENDPOINT_EXAMPLE, changedByKeyId: '06292f8a1b2c' },
});

/** An event of each type. */
export const EVENT_EXAMPLES: Readonly<Record<EventType, CartEvent | EndpointEvent>> = {
  'cart.completed': cartExampleOf('cart.completed', '2026-11-20T14:31:10.412Z', CART),
  'cart.payment_failed': cartExampleOf('cart.payment_failed', '2026-11-20T14:31:10.412Z', {
    ...CART,
    status: 'payment_failed',
    completedAt: undefined,
    failureReason: 'card_declined',
  }),
  'cart.abandoned': cartExampleOf('cart.abandoned', '2026-11-21T14:29:30.021Z', UNPAID),
  'cart.duplicate_payment': cartExampleOf('cart.duplicate_payment', '2026-11-20T14:31:12.518Z', {
    ...CART,
    duplicatePaymentId: '9b2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5',
  }),
  'cart.refunded': cartExampleOf('cart.refunded', '2026-11-23T09:12:44.305Z', {
    ...CART,
    refunds: [REFUND],
    refundedAmount: 20,
    refund: REFUND,
  }),
  'webhook_endpoint.created': endpointExampleOf('webhook_endpoint.created'),
  'webhook_endpoint.updated': endpointExampleOf('webhook_endpoint.updated'),
  'webhook_endpoint.disabled': {
    ...endpointExampleOf('webhook_endpoint.disabled'),
    timestamp: '2026-11-22T08:05:12.480Z',
    data: {
      id: ENDPOINT_EXAMPLE.id,
      url: ENDPOINT_EXAMPLE.url,
      enabled: false,
      disabledAt: '2026-11-22T08:05:12.431Z',
      disabledReason: 'gone',
      createdAt: ENDPOINT_EXAMPLE.createdAt,
      createdByKeyId: ENDPOINT_EXAMPLE.createdByKeyId,
    },
  },
  'webhook_endpoint.deleted': endpointExampleOf('webhook_endpoint.deleted'),
  'webhook_endpoint.secret_rotated': endpointExampleOf('webhook_endpoint.secret_rotated'),
};
