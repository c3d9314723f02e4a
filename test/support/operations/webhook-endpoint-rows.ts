import { publicDeliveryId } from '../../../lib/deliveries/records/delivery-view.ts';
import { IDEMPOTENCY_SECRET_IDS } from '../../../lib/idempotency/idempotency-secret.ts';
import { MOVE_KEY, WRITE_LIVE_CART, writeEventsExcept } from './denied.ts';
import { type EndpointOperation, type HttpFunctionRow, type MerchantRow, on } from './row-types.ts';
import { STORED } from './stored.ts';

const pathParameters = { endpointId: STORED.endpoint.endpointId };

const LATER_ENDPOINT = [
  ['an endpoint of a later release', { log: 'test#store-1', schemaVersion: 99 }],
] as const;

/** An operation on one endpoint, which belongs to the store of the key. */
const ON_ENDPOINT = {
  request: { pathParameters },
  malformedItems: LATER_ENDPOINT,
} as const;

/** The operations on webhook endpoints. */
export const ENDPOINT_OPERATIONS: Readonly<Record<EndpointOperation, MerchantRow>> = {
  createWebhookEndpoint: {
    request: { body: JSON.stringify({ url: 'https://shop.example/hook' }) },
    status: 201,
    // The beginning and end of the host's check, the endpoints before and after the write, and the log's counter.
    calls: ['key', 'key', 'key', 'read', 'read', 'write', 'read'],
    malformedItems: LATER_ENDPOINT,
  },
  listWebhookEndpoints: {
    request: {},
    status: 200,
    calls: ['key', 'read'],
    malformedItems: LATER_ENDPOINT,
  },
  getWebhookEndpoint: {
    ...ON_ENDPOINT,
    status: 200,
    calls: ['key', 'read'],
  },
  updateWebhookEndpoint: {
    ...ON_ENDPOINT,
    request: { pathParameters, body: JSON.stringify({ enabled: false }) },
    status: 200,
    calls: ['key', 'read', 'read', 'write', 'read'],
  },
  deleteWebhookEndpoint: {
    ...ON_ENDPOINT,
    status: 200,
    calls: ['key', 'read', 'read', 'write'],
  },
  rotateWebhookSecret: {
    ...ON_ENDPOINT,
    request: { pathParameters, body: '{}' },
    status: 200,
    calls: ['key', 'read', 'read', 'read', 'write'],
  },
  testWebhookEndpoint: {
    ...ON_ENDPOINT,
    status: 202,
    calls: ['key', 'read', 'write'],
  },
  listWebhookDeliveries: {
    ...ON_ENDPOINT,
    status: 200,
    calls: ['key', 'read', 'read'],
  },
  resendWebhookDelivery: {
    ...ON_ENDPOINT,
    request: { pathParameters: { ...pathParameters, deliveryId: publicDeliveryId(STORED.delivery) } },
    status: 202,
    calls: ['key', 'read', 'read', 'read', 'write'],
  },
};

/** The function of these operations. */
export const ENDPOINT_FUNCTIONS = {
  'webhook-endpoints': {
    load: async () => {
      const { webhookEndpointsFunction } = await import('../../../functions/webhook-endpoints/handler.ts');
      return ({ endpointSecret, ...dependencies }) =>
        webhookEndpointsFunction({ ...dependencies, idempotencySecret: endpointSecret });
    },
    warmUp: { connections: 1, calls: ['UpdateItem api-keys'] },
    denied: [
      MOVE_KEY,
      WRITE_LIVE_CART,
      ['read the key of the canary', on('secrets', 'GetItem', 'canary')],
      ['replace the secret of carts', on('secrets', 'PutItem', IDEMPOTENCY_SECRET_IDS.carts)],
      ...writeEventsExcept('endpoint'),
    ],
  },
} as const satisfies Readonly<Record<string, HttpFunctionRow>>;
