import { expect, test } from 'vitest';
import { docsPages } from '../../../../infra/local/docs-pages.ts';
import { homePages, type HomePageOptions } from '../../../../infra/local/pages/home-page.ts';
import { DEMO_STORES } from '../../../../infra/local/demo-stores.ts';
import { ROUTES } from '../../../../functions/operations.ts';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { createRouter } from '../../../../infra/local/gateway/routes.ts';
import { curlCommand } from '../../../../infra/local/ready-message.ts';
import { createRequestLog } from '../../../../infra/local/request-log.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { Mode } from '../../../../lib/core/mode.ts';
import type { DeliveryRecord } from '../../../../lib/webhooks/delivery.ts';
import { createDeliveryStore } from '../../../../lib/webhooks/delivery-store.ts';
import { createEndpointStore } from '../../../../lib/webhooks/endpoint-store.ts';
import type { WebhookEndpoint } from '../../../../lib/webhooks/endpoint.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database.ts';
import { waitingCart } from '../../../support/payments.ts';
import { givenGateway } from '../gateway/client.ts';
import { storeEndpoint } from '../../../support/endpoints.ts';

const HOSTILE = '<script>alert(1)</script>';

const ENDPOINT: WebhookEndpoint = {
  storeId: 'shop',
  mode: 'test',
  endpointId: 'we_1',
  url: 'https://shop.example/hook?token=a-secret',
  createdAtMs: NOW_MS,
};

const RECORD: DeliveryRecord = {
  endpointId: 'we_1',
  id: 'id',
  eventId: 'evt_1',
  type: 'cart.completed',
  recordedAtMs: NOW_MS,
  status: 'retrying',
  attempts: [{ atMs: NOW_MS, attempt: 1, status: 503, ms: 17, response: 'Hello Grace' }],
  nextAttemptAtMs: NOW_MS + 5_000,
};

const FACTS = {
  baseUrl: 'http://127.0.0.1:3000',
  version: '1.2.3',
  database: 'The embedded DynamoDB, in memory',
  checkoutUrl: 'https://pay.example',
  webhookUrl: 'https://shop.example/hook?token=a-secret',
};

const SERVED: ServedRequest = {
  receivedAtMs: NOW_MS,
  durationMs: 5,
  method: 'GET',
  path: '/api/v1/nothing',
  authorization: 'Bearer cck_test_a-secret',
  match: undefined,
  response: { status: 404, headers: [['Content-Type', 'application/json']], body: '{"code":"NOT_FOUND"}' },
};

const NO_CART = { find: async () => undefined };

/** A request whose id of a cart is in its response. */
const creationOf = (cartId: string, mode: Mode): ServedRequest => ({
  ...SERVED,
  method: 'POST',
  match: createRouter(ROUTES)('POST', '/api/v1/stores/cart/checkout'),
  authorization: `Bearer cck_${mode}_key`,
  response: { status: 201, headers: SERVED.response.headers, body: JSON.stringify({ cart: { id: cartId } }) },
});

/** The options of the pages. By default, there is no endpoint, cart and request. */
const givenOptions = (changes: Partial<HomePageOptions> = {}): HomePageOptions => ({
  facts: FACTS,
  requests: createRequestLog(),
  carts: { test: NO_CART, live: NO_CART },
  endpoints: { list: async () => [] },
  deliveries: { listOf: async () => [] },
  now: () => NOW_MS,
  ...changes,
});

/** A gateway with the pages. */
const givenPages = async (changes: Partial<HomePageOptions> = {}) => {
  const pages = homePages(givenOptions(changes));
  const { baseUrl } = await givenGateway(
    {},
    { pages: (url) => (path) => pages.get(path) ?? docsPages(url)(path) },
  );
  const get = (path: string, headers: Record<string, string> = {}) => fetch(baseUrl + path, { headers });
  return { get, text: async (path = '/') => (await get(path)).text() };
};

/** The pages with these endpoints, and the same deliveries for each. */
const givenPage = (
  endpoints: readonly (WebhookEndpoint & { readonly failures?: number })[],
  records: readonly DeliveryRecord[] = [RECORD],
) =>
  givenPages({
    endpoints: {
      list: async () =>
        endpoints.map(({ failures = 0, ...endpoint }) => ({ ...endpoint, state: { failures } })),
    },
    deliveries: { listOf: async () => records },
  });

/** The text of a page, without its elements. */
const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, '');

test('the page shows each endpoint and its latest deliveries', async () => {
  const { text } = await givenPage([
    ENDPOINT,
    { ...ENDPOINT, endpointId: 'we_2', failures: 7 },
    { ...ENDPOINT, endpointId: 'we_3', disabled: { atMs: NOW_MS, reason: 'gone' } },
  ]);
  const html = textOf(await text());
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
  expect(html).not.toContain('a-secret');
  expect(html).not.toContain('Grace');
});

test('the page names the next step if there is no endpoint', async () => {
  const html = await (await givenPage([])).text();
  expect(html).toContain('npm start -- --webhook');
});

test('the page shows what runs here, the demo keys and a first request', async () => {
  const html = textOf((await (await givenPages()).text()).replaceAll('&#39;', "'").replaceAll('&quot;', '"'));

  const { baseUrl, version, database, checkoutUrl } = FACTS;
  for (const shown of [baseUrl, version, database, checkoutUrl, 'https://shop.example/hook']) {
    expect(html).toContain(shown);
  }
  for (const { id, apiKey } of DEMO_STORES) expect(html).toMatch(new RegExp(`${id}\\s*${apiKey}`));
  expect(html.replaceAll(/\s*\\\n\s*/g, ' ')).toContain(curlCommand(FACTS.baseUrl));
});

test('each button copies the text of an element that the page has', async () => {
  const html = await (await givenPages()).text();
  const ids = [...html.matchAll(/data-copy="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(DEMO_STORES.length + 1);
  for (const id of ids) expect(html).toContain(`id="${id}"`);
});

test('the page shows the carts with their status at this time, and nothing about the buyers', async () => {
  const stored = {
    test: waitingCart({ id: 'c-open', mode: 'test', expiresAtMs: NOW_MS + 1 }),
    live: waitingCart({ id: 'c-live', mode: 'live', expiresAtMs: NOW_MS }),
  };
  const requests = createRequestLog();
  for (const { id, mode } of Object.values(stored)) requests.add(creationOf(id, mode));
  const storeOf = (cart: Cart) => ({ find: async (id: string) => (id === cart.id ? cart : undefined) });
  const carts = { test: storeOf(stored.test), live: storeOf(stored.live) };
  const html = await (await givenPages({ requests, carts })).text();

  expect(html).toContain('href="/sandbox/checkout/c-open"');
  expect(html).not.toContain('href="/sandbox/checkout/c-live"');
  expect(textOf(html)).toContain('waiting_payment');
  expect(textOf(html)).toContain('abandoned');
  for (const { customerInfo } of Object.values(stored)) {
    for (const value of Object.values(customerInfo)) expect(html).not.toContain(value);
  }
});

test('the list has the ten latest carts of both modes as they are stored now, each once', async () => {
  const requests = createRequestLog();
  for (let index = 0; index < 12; index += 1)
    requests.add(creationOf(`c-${index}`, index % 2 ? 'live' : 'test'));
  // A repetition with the same idempotency key.
  requests.add(creationOf('c-11', 'live'));
  const find = (mode: string) => async (id: string) =>
    id === 'c-3' ? undefined : waitingCart({ id, productName: `${mode} ${id}` });
  const carts = { test: { find: find('test') }, live: { find: find('live') } };
  const html = await (await givenPages({ requests, carts })).text();

  expect([...html.matchAll(/<td>((?:test|live) c-\d+)<\/td>/g)].map(([, name]) => name)).toStrictEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 2].map((index) => `${index % 2 ? 'live' : 'test'} c-${index}`),
  );
});

test('the page shows the requests, and a script reads the new ones', async () => {
  const requests = createRequestLog();
  const { text } = await givenPages({ requests });
  expect(await text()).toContain('There is no request yet');

  requests.add(SERVED);
  requests.add({ ...SERVED, method: 'DELETE' });

  for (const html of [await text(), await text('/live')]) {
    expect(html.indexOf('DELETE')).toBeLessThan(html.indexOf('GET'));
    expect(html).toContain('<a class="keep" href="/errors#NOT_FOUND">NOT_FOUND</a>');
    expect(html).not.toContain('a-secret');
  }
  expect(await text()).toMatch(/<script type="module" src="\/home\.js">/);
  expect(await text('/home.js')).toContain("fetch('/live')");
});

test('text from outside stays text, and the page runs and loads only what the stage serves', async () => {
  const { get, text } = await givenPage([{ ...ENDPOINT, storeId: HOSTILE }]);
  const response = await get('/');
  expect(await response.text()).not.toContain(HOSTILE);
  expect(await text('/live')).not.toContain(HOSTILE);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});

test.each(['/', '/home.js', '/live'])('pages of other sites cannot read %s', async (path) => {
  const { get } = await givenPage([ENDPOINT]);
  expect((await get(path, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' })).status).toBe(403);
  expect((await get(path, { Origin: 'https://evil.example' })).status).toBe(403);
  const { headers } = await get(path);
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('the page has the endpoints of the database without their secrets', async () => {
  const database = await givenDatabase();
  const { documents, tableNames } = database;
  const endpoints = createEndpointStore(documents, tableNames.webhookEndpoints);
  const deliveries = createDeliveryStore(documents, tableNames.deliveries, () => NOW_MS);
  const secret = await storeEndpoint(database, ENDPOINT);
  const { get } = await givenPages({ endpoints, deliveries });
  const response = await get('/');
  const html = await response.text();
  expect([response.status, html.includes('we_1'), html.includes(secret)]).toEqual([200, true, false]);
  expect(html).toContain('There is no delivery yet');
});

test('the page reports that the database does not respond', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('The database does not respond');
  };
  const { get } = await givenPages({ endpoints: { list: fail } });
  for (const path of ['/', '/live']) {
    const page = await get(path);
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('The database does not respond.');
  }
});
