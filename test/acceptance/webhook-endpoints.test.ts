import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  call,
  cartBody,
  cartIdOf,
  cartPath,
  createCart,
  inputs,
} from './support/client.ts';
import { expectHelpLink, expectInvalid, expectResponse } from './support/expectations.ts';
import { given } from './support/inputs.ts';

const ENDPOINTS = '/api/v1/stores/webhook-endpoints';

/** Without a receiver, a reserved name with public addresses (RFC 2606). The stage only looks it up. */
const URL = inputs.webhookUrl ?? 'https://example.com/acceptance';

/** No test causes this event, so the stage sends nothing. */
const NEVER_SENT = ['cart.refunded'];

const created = new Set<string>();
afterEach(async () => {
  for (const id of created) await call('DELETE', `${ENDPOINTS}/${id}`);
  created.clear();
});

const create = async (body: object, idempotencyKey: string = randomUUID()): Promise<ApiResponse> => {
  const response = await call('POST', ENDPOINTS, body, { 'Idempotency-Key': idempotencyKey });
  if (response.status === 201) created.add((response.body['webhookEndpoint'] as { id: string }).id);
  return response;
};

const givenEndpoint = async (eventTypes: readonly string[] = NEVER_SENT): Promise<string> => {
  const response = await create({ url: URL, eventTypes });
  expectResponse(response, 201);
  return (response.body['webhookEndpoint'] as { id: string }).id;
};

const expectCode = (response: ApiResponse, status: number, code: string): void => {
  expectResponse(response, status);
  expect(response.body).toMatchObject({ code });
  expectHelpLink(response);
};

describe('a webhook endpoint', () => {
  it('is created once for each Idempotency-Key, and only the first response has its secret', async () => {
    const key = randomUUID();
    const { body } = await create({ url: URL, eventTypes: NEVER_SENT }, key);
    expect(body['secret']).toMatch(/^whsec_/);
    const replay = await create({ url: URL, eventTypes: NEVER_SENT }, key);
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(replay.body).toStrictEqual({ webhookEndpoint: body['webhookEndpoint'] });
  });

  it('is listed, retrieved, changed and deleted', async () => {
    const id = await givenEndpoint();
    const listed = await call('GET', ENDPOINTS);
    expectResponse(listed, 200);
    expect(listed.body['webhookEndpoints']).toContainEqual(expect.objectContaining({ id, url: URL }));

    const changed = await call('PATCH', `${ENDPOINTS}/${id}`, { enabled: false });
    expectResponse(changed, 200);
    expect(changed.body).toMatchObject({ id, enabled: false, disabledReason: 'merchant' });
    const retrieved = await call('GET', `${ENDPOINTS}/${id}`);
    expectResponse(retrieved, 200);
    expect(retrieved.body).toStrictEqual(changed.body);
    expectCode(await call('POST', `${ENDPOINTS}/${id}/test`), 409, 'WEBHOOK_ENDPOINT_DISABLED');

    const deleted = await call('DELETE', `${ENDPOINTS}/${id}`);
    expectResponse(deleted, 200);
    expect(deleted.body).toStrictEqual({ id, deleted: true });
    expectCode(await call('GET', `${ENDPOINTS}/${id}`), 404, 'WEBHOOK_ENDPOINT_NOT_FOUND');
  });

  it('gets a new secret, and both sign for a day', async () => {
    const id = await givenEndpoint();
    const { body } = await call('POST', `${ENDPOINTS}/${id}/rotate-secret`, {});
    expect(body).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
    const leftMs = Date.parse(String(body['previousSecretEndsAt'])) - Date.now();
    expect(Math.abs(leftMs - 86_400_000)).toBeLessThan(600_000);
  });

  it.each([
    'https://169.254.169.254/latest',
    'https://10.0.0.1/',
    'ftp://example.com/',
    // An emulator has the stage at a path of its address, and the stage does not know that address.
    ...(new globalThis.URL(inputs.baseUrl).protocol === 'https:' || !inputs.baseUrl.includes('/_aws/')
      ? [`${inputs.baseUrl}/hook`]
      : []),
  ])('cannot have the address %s', async (url) => {
    expect(expectInvalid(await create({ url }))).toStrictEqual(['url']);
  });

  it('is one of at most ten of its store and mode', async () => {
    let response = await create({ url: URL, eventTypes: NEVER_SENT });
    // The store may have others.
    while (response.status === 201 && created.size <= 10) {
      response = await create({ url: URL, eventTypes: NEVER_SENT });
    }
    expectCode(response, 409, 'TOO_MANY_WEBHOOK_ENDPOINTS');
  });

  for (const url of given(inputs.webhookUrl)) {
    it(`gets a test event, and a delivery again, at ${url}`, async () => {
      const id = await givenEndpoint(['cart.abandoned']);
      const sent = await call('POST', `${ENDPOINTS}/${id}/test`);
      expectResponse(sent, 202);
      await call('POST', `${cartPath(cartIdOf(await createCart(cartBody())))}/expire`);

      const deliveries = async () => {
        const { body } = await call('GET', `${ENDPOINTS}/${id}/deliveries?limit=2`);
        return body['deliveries'] as readonly { id: string; eventId: string; eventType: string }[];
      };
      const results = [
        { eventType: 'cart.abandoned', status: 'succeeded' },
        { id: sent.body['deliveryId'], eventType: 'webhook.ping', status: 'succeeded' },
      ];
      await expect.poll(() => deliveries(), { timeout: 60_000, interval: 100 }).toMatchObject(results);

      const [delivery] = await deliveries();
      const resent = await call('POST', `${ENDPOINTS}/${id}/deliveries/${delivery?.id}/resend`);
      expectResponse(resent, 202);
      expect(resent.body).toStrictEqual({ deliveryId: delivery?.id, eventId: delivery?.eventId });
      const attempts = [{ attempt: 1 }, { attempt: 1 }];
      await expect
        .poll(() => deliveries(), { timeout: 60_000, interval: 100 })
        .toMatchObject([{ attempts }, {}]);
      const ping = `${ENDPOINTS}/${id}/deliveries/${String(sent.body['deliveryId'])}/resend`;
      expectCode(await call('POST', ping), 404, 'WEBHOOK_DELIVERY_NOT_FOUND');
    });
  }
});
