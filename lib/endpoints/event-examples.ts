import { CART_EVENT_EXAMPLES } from '../carts/cart-event-examples.ts';
import type { CartEvent } from '../carts/cart-event.ts';
import type { EndpointEventType, EventType } from '../events/event-types.ts';
import { eventIdFrom } from '../events/logged-event.ts';
import type { EndpointEvent } from './endpoint-event.ts';
import type { EndpointConfigView } from './endpoint-view.ts';

// The contract shows these events, and test events have their data.

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
  ...CART_EVENT_EXAMPLES,
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
