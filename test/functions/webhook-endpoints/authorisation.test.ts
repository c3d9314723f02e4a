import { describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { storeEndpoint } from '../../support/domain/endpoints.ts';
import type { EndpointOperation } from '../../support/operations/row-types.ts';
import { ENDPOINT_OPERATIONS } from '../../support/operations/webhook-endpoint-rows.ts';
import { givenService } from '../../support/service/service.ts';
import { givenMerchant } from './merchant.ts';

const service = await givenService();
const owner = await givenMerchant(service);
const endpointId = await owner.givenEndpoint();
const deliveryId = `evt_${'0'.repeat(32)}-1700000000000`;

/** A valid request of each operation: the body of its row, with a delivery that does not exist. */
const ALL = Object.entries(ENDPOINT_OPERATIONS).map(([name, { request }]) => {
  const { body, pathParameters } = request;
  const sent = {
    ...(body !== undefined && { body: JSON.parse(String(body)) as object }),
    ...(pathParameters?.['deliveryId'] !== undefined && { pathParameters: { deliveryId } }),
  };
  return [name as EndpointOperation, sent, pathParameters !== undefined] as const;
});

const ON_ENDPOINT = ALL.filter(([, , isOnEndpoint]) => isOnEndpoint);

describe.each(ON_ENDPOINT)('%s', (name, request) => {
  it('returns the same 404 for an unknown id, and for an endpoint of another store or mode', async () => {
    const before = (await owner.on(endpointId, 'getWebhookEndpoint')).bodyText;
    const otherStore = await givenMerchant(service);
    const otherMode = await givenMerchant(service, { ...owner, mode: 'live' });
    const responses = [
      await owner.on('we_0123456789abcdefghijABCD', name, request),
      await otherStore.on(endpointId, name, request),
      await otherMode.on(endpointId, name, request),
    ];
    for (const response of responses) {
      expectError(response, 'webhookEndpointNotFound');
      expect(response.body).not.toHaveProperty('details');
    }
    expect(new Set(responses.map(({ bodyText }) => bodyText)).size).toBe(1);
    expect((await owner.on(endpointId, 'getWebhookEndpoint')).bodyText).toBe(before);
    expect(service.queued).toStrictEqual([]);
  });
});

describe.each(ALL)('%s', (name, request) => {
  it('returns 401 for a missing, an unknown and a revoked key', async () => {
    const revoked = await service.givenKey({ storeId: owner.storeId });
    await service.apiKeys.revoke(apiKeyId(revoked), service.clock.now());
    for (const apiKey of [undefined, generateApiKey('test'), revoked]) {
      expectError(await owner.on(endpointId, name, { ...request, apiKey }), 'invalidApiKey');
    }
  });

  it('takes a token of the bucket of the key', async () => {
    const apiKey = await service.givenKey({ storeId: 'store-of-limits', limit: 1, windowSeconds: 3_600 });
    await owner.on(endpointId, name, { ...request, apiKey });
    expectError(await owner.on(endpointId, name, { ...request, apiKey }), 'rateLimited');
  });
});

it('the list has the endpoints of the store and mode alone, the oldest first', async () => {
  const merchant = await givenMerchant(service);
  const first = await merchant.givenEndpoint();
  service.clock.advance(1);
  const second = await merchant.givenEndpoint();
  const other = {
    storeId: merchant.storeId,
    mode: 'live',
    endpointId: 'we_live',
    url: 'https://shop.example/',
    createdAtMs: 0,
  } as const;
  await storeEndpoint(service, other);
  const { body } = await merchant.send('listWebhookEndpoints');
  expect(body).toMatchObject({ webhookEndpoints: [{ id: first }, { id: second }] });
  expect(body['webhookEndpoints']).toHaveLength(2);
});

it.each(['idempotent-cart-ids', '{endpointId}', 'we_', `we_${'a'.repeat(1_500)}`])(
  'an id of the wrong form gets 404 with the form of an id: %s',
  async (id) => {
    const response = await owner.on(id, 'getWebhookEndpoint');
    expectError(response, 'webhookEndpointNotFound');
    const message = 'The id of an endpoint is we_ with letters and digits';
    expect(response.body['details']).toStrictEqual([{ path: 'path.endpointId', message }]);
  },
);

it('a delivery of another endpoint cannot be sent again', async () => {
  const merchant = await givenMerchant(service);
  const id = await merchant.givenEndpoint();
  for (const text of [deliveryId, 'evt_1', '..', `${deliveryId}0`]) {
    const response = await merchant.on(id, 'resendWebhookDelivery', { pathParameters: { deliveryId: text } });
    expectError(response, 'webhookDeliveryNotFound');
    // Only the other endpoint's id is well-formed.
    const issue = { path: 'path.deliveryId', message: expect.stringMatching(/13 digits/) as string };
    expect(response.body['details']).toStrictEqual(text === deliveryId ? undefined : [issue]);
  }
});
