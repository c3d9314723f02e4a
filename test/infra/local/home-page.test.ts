import { expect, test } from 'vitest';
import { homePage } from '../../../infra/local/home-page.ts';
import type { DeliveryRecord } from '../../../lib/webhooks/delivery.ts';
import { createDeliveryStore } from '../../../lib/webhooks/delivery-store.ts';
import { createEndpointStore } from '../../../lib/webhooks/endpoint-store.ts';
import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { createSecretStore } from '../../../lib/webhooks/secret-store.ts';
import { NOW_MS } from '../../support/clock.ts';
import { givenDatabase } from '../../support/database.ts';
import { givenGateway } from './gateway/client.ts';

const HOSTILE = '<script>alert(1)</script>';

const ENDPOINT: WebhookEndpoint = {
  storeId: 'shop',
  mode: 'test',
  endpointId: 'we_1',
  url: 'https://shop.example/hook?token=hidden',
  createdAtMs: NOW_MS,
};

const RECORD: DeliveryRecord = {
  endpointId: 'we_1',
  id: 'id',
  eventId: 'evt_1',
  type: 'cart.completed',
  recordedAtMs: NOW_MS,
  status: 'retrying',
  attempts: [{ atMs: NOW_MS, attempt: 1, status: 503, ms: 17, response: 'Hello Ada' }],
  nextAttemptAtMs: NOW_MS + 5_000,
};

/** The page of a gateway, with these endpoints and the same deliveries for each. */
const givenPage = async (
  endpoints: readonly (WebhookEndpoint & { readonly failures?: number })[],
  records: readonly DeliveryRecord[] = [RECORD],
) => {
  const stores = {
    endpoints: {
      list: async () =>
        endpoints.map(({ failures = 0, ...endpoint }) => ({ ...endpoint, state: { failures } })),
    },
    deliveries: { listOf: async () => records },
  };
  const { baseUrl } = await givenGateway(
    {},
    {
      pages: () => (path) => (path === '/' ? homePage(stores) : undefined),
    },
  );
  const get = (headers: Record<string, string> = {}) => fetch(baseUrl, { headers });
  return { get, text: async () => (await get()).text() };
};

test('the page shows each endpoint and its latest deliveries', async () => {
  const { text } = await givenPage([
    ENDPOINT,
    { ...ENDPOINT, endpointId: 'we_2', failures: 7 },
    { ...ENDPOINT, endpointId: 'we_3', disabled: { atMs: NOW_MS, reason: 'gone' } },
  ]);
  const html = await text();
  for (const shown of [
    'shop',
    'https://shop.example/hook',
    'we_1',
    'paused after 7 failures',
    'disabled (gone)',
  ])
    expect(html).toContain(shown);
  for (const shown of [
    'cart.completed',
    'evt_1',
    'retrying, next attempt 2026-01-15 12:30:05',
    '503 in 17 ms',
  ])
    expect(html).toContain(shown);
});

test('the page shows neither the query of an address nor the text of a response', async () => {
  const html = await (await givenPage([ENDPOINT])).text();
  expect(html).not.toContain('hidden');
  expect(html).not.toContain('Ada');
});

test('the page names the next step if there is no endpoint', async () => {
  const html = await (await givenPage([])).text();
  expect(html).toContain('npm start -- --webhook');
});

test('text from outside stays text, and the page runs and loads nothing', async () => {
  const { get } = await givenPage([{ ...ENDPOINT, storeId: HOSTILE }]);
  const response = await get();
  expect(await response.text()).not.toContain(HOSTILE);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});

test('pages of other sites cannot read it', async () => {
  const { get } = await givenPage([ENDPOINT]);
  expect((await get({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' })).status).toBe(403);
  expect((await get({ Origin: 'https://evil.example' })).status).toBe(403);
});

test('the page has the endpoints of the database without their secrets', async () => {
  const { documents, tableNames } = await givenDatabase();
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  const deliveries = createDeliveryStore(documents, tableNames.deliveries);
  const secret = await createSecretStore(documents, tableNames.webhookSecrets, () => NOW_MS).create('we_1');
  await endpoints.create(ENDPOINT);
  const { status, body } = await homePage({ endpoints, deliveries })();
  expect([status, String(body).includes('we_1'), String(body).includes(secret)]).toEqual([200, true, false]);
  expect(body).toContain('There is no delivery yet');
});

test('the page reports that the database does not respond', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('The database does not respond');
  };
  const page = await homePage({ endpoints: { list: fail }, deliveries: { listOf: fail } })();
  expect(page.status).toBe(503);
  expect(page.body).toContain('The database does not respond.');
});
