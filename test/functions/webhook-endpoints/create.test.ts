import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { expectError, expectRateLimitHeaders } from '../../support/contract/expect-error.ts';
import { PUBLIC_URL } from '../../support/functions/dependencies.ts';
import { invoke } from '../../support/functions/invoke.ts';
import { givenService } from '../../support/service/service.ts';
import { givenMerchant, type Merchant, URL } from './merchant.ts';

const service = await givenService();
let merchant: Merchant;
beforeEach(async () => {
  merchant = await givenMerchant(service);
});

interface Created {
  readonly webhookEndpoint: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly secret?: string;
}

const create = async (...args: Parameters<Merchant['create']>): Promise<Created> => {
  const response = await merchant.create(...args);
  expect(response.status).toBe(201);
  expectRateLimitHeaders(response);
  return response.body as unknown as Created;
};

/** The same store with further keys. One key checks one host at a time. */
const givenKeysOf = (store: Merchant, count: number): Promise<Merchant[]> =>
  Promise.all(Array.from({ length: count }, () => givenMerchant(service, store)));

describe('a created endpoint', () => {
  it('has its address, its types and the id of the key, and its secret in this response alone', async () => {
    const keyId = apiKeyId(merchant.apiKey).slice(0, 12);
    const { webhookEndpoint, secret = '' } = await create({ url: URL, eventTypes: ['cart.completed'] });
    const expected = {
      id: expect.stringMatching(/^we_[0-9A-Za-z]{24}$/),
      url: URL,
      eventTypes: ['cart.completed'],
      enabled: true,
      createdAt: new Date(service.clock.now()).toISOString(),
      createdByKeyId: keyId,
    };
    expect(webhookEndpoint).toStrictEqual(expected);
    expect(secret).toMatch(/^whsec_/);
    const secrets = createSecretRepository(service.documents, service.tableNames.secrets);
    expect(await secrets.find(webhookEndpoint.id)).toMatchObject({ secret });
    const got = await merchant.on(webhookEndpoint.id, 'getWebhookEndpoint');
    expect(got.body).toStrictEqual(expected);
    const { body } = await merchant.send('listWebhookEndpoints');
    expect(body).toStrictEqual({ webhookEndpoints: [expected] });
  });

  it('is an event of the store with the key, without the secret', async () => {
    const { webhookEndpoint, secret } = await create();
    const events = await merchant.events();
    expect(events).toMatchObject([
      {
        type: 'webhook_endpoint.created',
        data: { ...webhookEndpoint, changedByKeyId: webhookEndpoint['createdByKeyId'] },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('receives all types without a selection, and with the selection null', async () => {
    for (const body of [{ url: URL }, { url: URL, eventTypes: null }]) {
      expect((await create(body)).webhookEndpoint).not.toHaveProperty('eventTypes');
    }
  });

  it('outlives the key that created it', async () => {
    const { webhookEndpoint } = await create();
    await service.apiKeys.revoke(apiKeyId(merchant.apiKey), service.clock.now());
    const successor = await givenMerchant(service, merchant);
    const { body } = await successor.on(webhookEndpoint.id, 'getWebhookEndpoint');
    expect(body).toStrictEqual(webhookEndpoint);
  });
});

describe('an idempotency key', () => {
  it('makes a retry return the endpoint without its secret, also after a change of it', async () => {
    const { webhookEndpoint, secret } = await create({ url: URL }, 'endpoint-1');
    expect(secret).toBeDefined();
    const changed = { url: 'https://other.shop.example/' };
    await merchant.on(webhookEndpoint.id, 'updateWebhookEndpoint', { body: changed });
    const retry = await merchant.create({ url: URL }, 'endpoint-1');
    expect(retry).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    expect(retry.body).toStrictEqual({ webhookEndpoint: { ...webhookEndpoint, ...changed } });
    expect((await merchant.send('listWebhookEndpoints')).body['webhookEndpoints']).toHaveLength(1);
  });

  it('of a retry at the same time creates one endpoint', async () => {
    const keys = await givenKeysOf(merchant, 3);
    const responses = await Promise.all(keys.map((key) => key.create({ url: URL }, 'endpoint-2')));
    const secrets = responses.flatMap(({ body }) => (body['secret'] === undefined ? [] : [body['secret']]));
    expect(secrets).toHaveLength(1);
    expect((await merchant.send('listWebhookEndpoints')).body['webhookEndpoints']).toHaveLength(1);
    expect(await merchant.events()).toHaveLength(1);
  });

  it.each([{ url: 'https://other.shop.example/' }, { url: URL, eventTypes: ['cart.completed'] }])(
    'with other fields is rejected: %j',
    async (body) => {
      await create({ url: URL }, 'endpoint-3');
      expectError(await merchant.create(body, 'endpoint-3'), 'idempotencyKeyReused');
    },
  );

  it('with the same types in another order is a retry', async () => {
    const types = ['cart.refunded', 'cart.completed'];
    const { webhookEndpoint } = await create({ url: URL, eventTypes: types }, 'endpoint-6');
    const retry = await create({ url: URL, eventTypes: types.toReversed() }, 'endpoint-6');
    expect(retry).toStrictEqual({ webhookEndpoint });
  });

  it('of another store or mode is another one, and after a deletion its id is not used again', async () => {
    const { webhookEndpoint } = await create({ url: URL }, 'endpoint-4');
    const others = [
      await givenMerchant(service),
      await givenMerchant(service, { ...merchant, mode: 'live' }),
    ];
    for (const other of others)
      expect((await other.create({ url: URL }, 'endpoint-4')).body['secret']).toBeDefined();
    await merchant.on(webhookEndpoint.id, 'deleteWebhookEndpoint');
    expect((await merchant.create({ url: URL }, 'endpoint-4')).body).toStrictEqual({
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'The idempotency key was already used with another payload',
      details: [
        {
          path: 'headers.idempotency-key',
          message: 'Its endpoint was deleted. For a new one, use another key',
        },
      ],
    });
  });

  it('returns its endpoint when its host is unknown by now, or the store has ten', async () => {
    const { webhookEndpoint } = await create({ url: URL }, 'endpoint-5');
    for (let count = 1; count < 10; count += 1) await merchant.givenEndpoint();
    expect((await create({ url: URL }, 'endpoint-5')).webhookEndpoint.id).toBe(webhookEndpoint.id);
  });
});

describe('an eleventh endpoint', () => {
  it('is rejected, also if several are created at once, and one of the other mode is not', async () => {
    for (let count = 0; count < 9; count += 1) await merchant.givenEndpoint();
    const keys = await givenKeysOf(merchant, 3);
    const responses = await Promise.all(keys.map((key) => key.create()));
    expect(responses.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
    for (let count = 0; count < 2; count += 1) await merchant.create();
    expectError(await merchant.create(), 'tooManyWebhookEndpoints');
    expect((await merchant.send('listWebhookEndpoints')).body['webhookEndpoints']).toHaveLength(10);
    const live = await givenMerchant(service, { ...merchant, mode: 'live' });
    expect((await live.create()).status).toBe(201);
  });
});

describe('an invalid request', () => {
  const NO_LOOPBACK = 'The address must begin with https://';
  const PUBLIC = 'The host must be a public IP address or a name';
  const OWN = 'The address must not be one of this API';
  const addresses = [
    ['', 'The address is empty'],
    ['shop.example/hook', NO_LOOPBACK],
    ['https://shop.example/\ud83d', 'Must be well-formed Unicode'],
    [`https://shop.example/${'🙂'.repeat(480)}`, 'Must have at most 500 characters'],
    ['http://shop.example/', NO_LOOPBACK],
    ['http://127.0.0.1:8080/', NO_LOOPBACK],
    ['http://localhost/', NO_LOOPBACK],
    ['https://user:secret@shop.example/', 'The address must have no user name and no password'],
    ['https://shop.example:22/', 'The port must be 443 or 8443'],
    ['https://127.0.0.1/', PUBLIC],
    ['https://169.254.169.254/latest/meta-data', PUBLIC],
    ['https://[::1]/', PUBLIC],
    ['https://[::ffff:10.0.0.1]/', PUBLIC],
    ['https://2130706433/', PUBLIC],
    ['https://private.shop.example/', 'The host has an IP address that is not public'],
    ['https://unknown.shop.example/', 'The DNS has no IP address for the host'],
    [`${PUBLIC_URL}/api/v1/stores/events`, OWN],
    [PUBLIC_URL.replace('.example', '.EXAMPLE.:8443'), OWN],
  ] as const;

  it.each(['api1.execute-api.eu-west-1.amazonaws.com', 'API1.execute-api.eu-west-1.amazonaws.com.'])(
    'with the address that API Gateway generates for the API gets 422: %s',
    async (host) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${merchant.apiKey}` };
      const body = JSON.stringify({ url: `https://${host}/prod` });
      const statusFor = async (apiId: string) => {
        const handler: ProxyFunction = ({ requestContext, ...event }, context) =>
          service.handlerOf('webhook-endpoints')(
            { ...event, requestContext: { ...requestContext, apiId } },
            context,
          );
        return (await invoke(handler, 'createWebhookEndpoint', { headers, body }, service.clock.now)).status;
      };
      expect([await statusFor('api1'), await statusFor('api2')]).toStrictEqual([422, 201]);
    },
  );

  it.each(addresses)(
    'with the address %s gets 422, on creation and on change, and stores nothing',
    async (url, message) => {
      const endpointId = await merchant.givenEndpoint();
      const before = (await merchant.send('listWebhookEndpoints')).body;
      const responses = [
        await merchant.create({ url }),
        await merchant.on(endpointId, 'updateWebhookEndpoint', { body: { url } }),
      ];
      for (const response of responses) {
        expectError(response, 'invalidPayload');
        expect(response.body['details']).toStrictEqual([{ path: 'url', message }]);
      }
      expect((await merchant.send('listWebhookEndpoints')).body).toStrictEqual(before);
      expect(await merchant.events()).toHaveLength(1);
    },
  );

  it.each([
    [{}, 'url', 'url is required'],
    [{ url: 1 }, 'url', 'Must be a string'],
    [{ url: `https://shop.example/${'x'.repeat(500)}` }, 'url', 'Must have at most 500 characters'],
    [{ url: URL, eventTypes: 'cart.completed' }, 'eventTypes', 'Must be an array'],
    [{ url: null }, 'url', 'url is required'],
    [{ url: URL, events: ['cart.completed'] }, 'events', 'Unknown field events; did you mean eventTypes?'],
    [
      { url: URL, enabled_events: [] },
      'enabled_events',
      'Unknown field enabled_events; did you mean eventTypes?',
    ],
    [{ url: URL, event_types: null }, 'event_types', 'Unknown field event_types; did you mean eventTypes?'],
    [{ webhookUrl: URL }, 'webhookUrl', 'Unknown field webhookUrl; did you mean url?'],
    [
      { url: URL, enabled: false },
      'enabled',
      'Unknown field enabled; a new endpoint is enabled, so change it afterwards',
    ],
    [{ url: URL, secret: 'x' }, 'secret', 'Unknown field secret; the service makes each secret'],
    [
      { url: URL, eventTypes: Array(101).fill('cart.completed') },
      'eventTypes',
      'Must have at most 100 types',
    ],
    [{ url: URL, eventTypes: [] }, 'eventTypes', 'Must have a type. For all types, send null'],
    [
      { url: URL, eventTypes: ['cart.complete'] },
      'eventTypes.0',
      expect.stringMatching(/^Must be one of cart\.completed, /),
    ],
    [[], '', 'Must be a JSON object'],
  ])('gets 422 with the field and the rule: %j', async (body, path, message) => {
    const response = await merchant.create(body);
    expectError(response, 'invalidPayload');
    expect(response.body['details']).toStrictEqual([{ path, message }]);
  });
});

it('a list of endpoints has one page, so the place and size of a page get 422 in test mode', async () => {
  await create();
  const response = await merchant.send('listWebhookEndpoints', { query: { cursor: 'x', limit: '1' } });
  expectError(response, 'invalidPayload');
  expect(response.body['details']).toStrictEqual(
    ['cursor', 'limit'].map((name) => ({
      path: `query.${name}`,
      message: `Unknown parameter ${name}; one page has all endpoints`,
    })),
  );
});
