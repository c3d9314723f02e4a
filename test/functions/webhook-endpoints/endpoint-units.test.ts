import { beforeAll, expect, it } from 'vitest';
import { OPERATION_USE, PAGES } from '../../../infra/cost/aws-use.ts';
import { cartEvent } from '../../../lib/carts/cart-event.ts';
import { deliveryMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import { publicDeliveryId } from '../../../lib/deliveries/records/delivery-view.ts';
import { deliveryId } from '../../../lib/deliveries/records/delivery.ts';
import { ENDPOINTS_MAX } from '../../../lib/endpoints/endpoint.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { type ConsumedUnits, isWrite, recordUnits } from '../../support/database/consumed-units.ts';
import { unlessExempt } from '../../support/database/exemptions.ts';
import { putItems } from '../../support/database/put-items.ts';
import { eventLogOf } from '../../support/domain/event-logs.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import type { EndpointOperation } from '../../support/operations/row-types.ts';
import { ENDPOINT_OPERATIONS } from '../../support/operations/webhook-endpoint-rows.ts';
import { givenService, type TestService } from '../../support/service/service.ts';
import { givenMerchant, type Merchant, URL } from './merchant.ts';

/** With it, an endpoint and an event about it have nearly 1 KB. */
const LONG_URL = `${URL}/${'a'.repeat(450)}`;

let service: TestService;
let merchant: Merchant;
/** The id of the latest endpoint. The store has the maximum. */
let endpointId: string;
let consumed: ConsumedUnits[] = [];

beforeAll(async () => {
  service = await givenService();
  merchant = await givenMerchant(service);
  // Waits for the idempotency secret, which each environment reads once.
  await merchant.create({ url: LONG_URL }, 'first');
  for (let count = 2; count < ENDPOINTS_MAX; count += 1) await merchant.givenEndpoint({ url: LONG_URL });
  const { body } = await merchant.create({ url: LONG_URL }, 'last');
  endpointId = (body['webhookEndpoint'] as { id: string }).id;
  recordUnits(service.documents, (call) => consumed.push(call));
});

/** Gives the endpoint 101 deliveries of an event, with 20 attempts each. Returns the id of one. */
const givenDeliveries = async (): Promise<string> => {
  const cart = waitingCart({ storeId: merchant.storeId, mode: 'test' });
  const event = cartEvent({ type: 'cart.completed', cart, cause: '' });
  const appended = await eventLogOf(service, service.clock.now).append(cart, { event, writes: [] });
  if (appended.outcome !== 'appended') throw new Error('The log has the event already');
  const endpoint = { storeId: merchant.storeId, mode: 'test', endpointId } as const;
  const message = deliveryMessageOf(endpoint, appended.event);
  const { eventId, type, sequence } = message;
  const failed = { attempt: 1, atMs: service.clock.now(), status: 500, ms: 123, response: 'x'.repeat(500) };
  const record = { endpointId, eventId, type, sequence, latest: 'failed', deleteAtSeconds: 9_999_999_999 };
  const attempts = Array.from({ length: 20 }, () => failed);
  const times = Array.from({ length: 101 }, (_, index) => message.recordedAtMs - index);
  const items = times.map((recordedAtMs) => {
    const id = deliveryId({ eventId, recordedAtMs });
    return { ...record, id, recordedAtMs, attempts };
  });
  await putItems(service.documents, service.tableNames.deliveries, items);
  return publicDeliveryId(message);
};

/** Sends a valid request. The one of a creation frees the place of its endpoint. */
const send = async (name: EndpointOperation, deliveryId_: string): Promise<ApiResponse> => {
  if (name === 'createWebhookEndpoint') {
    await merchant.on(endpointId, 'deleteWebhookEndpoint');
    consumed = [];
    const created = await merchant.create({ url: LONG_URL }, 'new');
    endpointId = (created.body['webhookEndpoint'] as { id: string }).id;
    return created;
  }
  const body = { updateWebhookEndpoint: { url: `${LONG_URL}b` }, rotateWebhookSecret: {} }[name as string];
  const query = name === 'listWebhookDeliveries' ? { limit: '100' } : {};
  const request = { pathParameters: { deliveryId: deliveryId_ }, query, ...(body && { body }) };
  consumed = [];
  return merchant.on(endpointId, name, request);
};

/** Every operation. The deletion comes last. */
const NAMES = (Object.keys(ENDPOINT_OPERATIONS) as EndpointOperation[]).toSorted(
  (a, b) => Number(a === 'deleteWebhookEndpoint') - Number(b === 'deleteWebhookEndpoint'),
);

it.each(NAMES)('%s consumes the units of the model of costs', async (name) => {
  const readsDeliveries = name.endsWith('Deliveries') || name.endsWith('Delivery');
  const sentId = readsDeliveries ? await givenDeliveries() : '';
  expect((await send(name, sentId)).status).toBeLessThan(300);
  const sum = (calls: readonly ConsumedUnits[]) => calls.reduce((total, { units }) => total + units, 0);
  const reads = sum(consumed.filter((call) => !isWrite(call)));
  const writes = sum(consumed.filter(isWrite));
  const { reads: modelReads, writes: modelWrites } = OPERATION_USE[name].usual;
  const expected = PAGES.includes(name) ? Math.min(reads, modelReads) : modelReads;
  expect({ reads, writes }, 'state its use in aws-use.ts').toStrictEqual({
    reads: name === 'listWebhookDeliveries' ? unlessExempt('units of a full page', expected) : expected,
    writes: unlessExempt('units of a transaction', modelWrites),
  });
});
