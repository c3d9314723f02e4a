import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { createDnsCheckLock } from '../../../lib/endpoints/address/dns-check-lock.ts';
import { createHostCheck } from '../../../lib/endpoints/address/host-check.ts';
import { SilentDnsError } from '../../../lib/endpoints/address/resolve-host.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { givenService } from '../../support/service/service.ts';
import { givenMerchant, type Merchant, URL } from './merchant.ts';

const service = await givenService();
const usual = service.dns.resolve;
let merchant: Merchant;
let id: string;
beforeEach(async () => {
  service.dns.resolve = usual;
  merchant = await givenMerchant(service);
  id = await merchant.givenEndpoint();
});

const OTHER_URL = 'https://other.shop.example/';

const change = (url: string, by = merchant): Promise<ApiResponse> =>
  by.on(id, 'updateWebhookEndpoint', { body: { url } });

/** Makes the DNS wait until `respond` is called. `asked` resolves when it is asked. */
const holdDns = () => {
  const asked = Promise.withResolvers<void>();
  const response = Promise.withResolvers<readonly string[]>();
  service.dns.resolve = (host) => {
    if (host === 'free.shop.example') return usual(host);
    asked.resolve();
    return response.promise;
  };
  const respond = (): void => response.resolve(['93.184.216.34']);
  onTestFinished(respond);
  return { asked: asked.promise, respond };
};

const expectBusy = (response: ApiResponse): void => {
  expectError(response, 'rateLimited');
  expect(response.headers['retry-after']).toBe('1');
  expect(Number(response.headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
};

describe('a silent name server', () => {
  it('leads to 422 with the reason, on creation and on change, and counts as no outage of the database', async () => {
    service.dns.resolve = () => Promise.reject(new SilentDnsError());
    const lines = await logged(async () => {
      for (const response of [await merchant.create({ url: OTHER_URL }), await change(OTHER_URL)]) {
        expectError(response, 'invalidPayload');
        const message = 'The DNS did not respond for the host';
        expect(response.body['details']).toStrictEqual([{ path: 'url', message }]);
      }
    });
    for (const line of lines) expect(line).not.toHaveProperty('DatabaseUnavailable');
  });
});

describe('while the DNS is asked for a host of an API key', () => {
  it('another host of the key gets 429, on creation and on change, and is accepted afterwards', async () => {
    const dns = holdDns();
    const first = merchant.create({ url: OTHER_URL });
    await dns.asked;
    expectBusy(await merchant.create({ url: 'https://free.shop.example/' }));
    expectBusy(await change('https://free.shop.example/'));
    dns.respond();
    expect((await first).status).toBe(201);
    expect((await change('https://free.shop.example/')).status).toBe(200);
  });

  it('other keys are unaffected, also those of the store', async () => {
    const dns = holdDns();
    const first = merchant.create({ url: OTHER_URL });
    await dns.asked;
    for (const other of [await givenMerchant(service), await givenMerchant(service, merchant)]) {
      expect((await other.create({ url: 'https://free.shop.example/' })).status).toBe(201);
    }
    dns.respond();
    await first;
  });

  it('all that needs no DNS succeeds: an IP address, an unchanged address, a replay, and other operations', async () => {
    const replayed = { url: URL, eventTypes: ['cart.completed'] };
    await merchant.create(replayed, 'endpoint-1');
    const dns = holdDns();
    const first = merchant.create({ url: OTHER_URL });
    await dns.asked;
    expect((await merchant.create({ url: 'https://93.184.216.34/' })).status).toBe(201);
    expect((await change(URL)).status).toBe(200);
    expect((await merchant.create(replayed, 'endpoint-1')).status).toBe(201);
    expect((await merchant.on(id, 'updateWebhookEndpoint', { body: { enabled: false } })).status).toBe(200);
    expect((await merchant.send('listWebhookEndpoints')).status).toBe(200);
    dns.respond();
    await first;
  });

  it('a process that dies blocks the key for 3 s', async () => {
    // It never ends.
    const { tableNames, documents, clock } = service;
    const keyId = apiKeyId(merchant.apiKey);
    await createDnsCheckLock(documents, tableNames.apiKeys).acquire(
      keyId,
      clock.now(),
      new AbortController().signal,
    );
    clock.advance(2.999);
    expectBusy(await change('https://free.shop.example/'));
    clock.advance(0.001);
    expect((await change('https://free.shop.example/')).status).toBe(200);
  });
});

describe('the end of a check', () => {
  it.each([
    ['a host without an address', 'https://unknown.shop.example/', 422],
    ['a private address', 'https://private.shop.example/', 422],
    ['a public address', 'https://public.shop.example/', 201],
  ])('comes with its result: %s', async (_, url, status) => {
    for (const response of [await merchant.create({ url }), await merchant.create({ url })]) {
      expect(response.status).toBe(status);
    }
  });

  it('comes also if the check fails unexpectedly', async () => {
    const ended: string[] = [];
    const lock = {
      acquire: async (keyId: string) => async () => void ended.push(keyId),
    };
    const check = createHostCheck(lock, () => {
      throw new TypeError('unexpected');
    });
    const request = {
      apiKey: { keyId: 'key', storeId: 's', mode: 'test', limit: 1, windowSeconds: 1 },
      nowMs: 0,
      signal: new AbortController().signal,
    } as const;
    await check(OTHER_URL, request);
    expect(ended).toStrictEqual(['key']);
  });
});

it.each(['http://localhost:4000/', 'http://127.0.0.1:4000/', 'https://93.184.216.34/'])(
  'the check of %s writes nothing',
  async (url) => {
    const lock = { acquire: () => Promise.reject(new Error('not needed')) };
    const check = createHostCheck(lock, () => Promise.reject(new Error('not needed')));
    const apiKey = { keyId: 'key', storeId: 's', mode: 'test', limit: 1, windowSeconds: 1 } as const;
    const request = { apiKey, nowMs: 0, signal: new AbortController().signal };
    expect(await check(url, request)).toStrictEqual({ outcome: 'allowed' });
  },
);
