import { describe, expect, test } from 'vitest';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { DEMO_STORES } from '../../../../infra/local-access/demo-stores.ts';
import { homePages } from '../../../../infra/local/pages/home-page.ts';
import { curlCommand } from '../../../../infra/local/demo/ready-message.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/delivery.ts';
import type { WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { storeEndpoint } from '../../../support/domain/endpoints.ts';
import { givenGateway } from '../../../support/http/gateway-client.ts';
import { DEMO_LOG, FACTS, givenDashboard, SERVED, textOf } from './pages.ts';

const HOSTILE = '<script>alert(1)</script>';

const ENDPOINT: WebhookEndpoint = {
  storeId: 'shop',
  mode: 'test',
  endpointId: 'we_1',
  url: 'https://shop.example/hook?token=a-secret',
  createdAtMs: NOW_MS,
};

const MESSAGE: DeliveryMessage = {
  endpoint: ENDPOINT,
  eventId: 'evt_00000000000000000000000000000001',
  type: 'cart.completed',
  recordedAtMs: NOW_MS,
  attempt: 1,
  sequence: 1,
};

const createdBy = (cartId: string): ServedRequest => ({
  ...SERVED,
  response: { status: 201, headers: SERVED.response.headers, body: JSON.stringify({ cart: { id: cartId } }) },
});

const idOf = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** The cells of the table under a heading, by the label of each. */
const rowsOf = (html: string, id: string): Record<string, string>[] => {
  const [, section = ''] = html.split(`aria-labelledby="${id}"`);
  const [body = ''] = section.split('</tbody>');
  return [...body.matchAll(/<tr role="row"(?: class="(?!below)[^"]*")?>(<td.*?)<\/tr>/gs)].map(
    ([, cells = '']) =>
      Object.fromEntries(
        [...cells.matchAll(/data-label="([^"]*)">(.*?)<\/td>/gs)].map(([, name, cell = '']) => [
          name,
          textOf(cell),
        ]),
      ),
  );
};

test('the page begins with a button, the products of the demo stores, and the call in four languages', async () => {
  const html = await (await givenDashboard()).text();
  expect(html.indexOf('Create a test cart</button>')).toBeLessThan(html.indexOf('id="live"'));
  const options = [...html.matchAll(/<option value="([^"]+)" data-key="([^"]+)">/g)];
  expect(options.map(([, product]) => product)).toStrictEqual(['one-course', 'one-donation', 'two-poster']);
  for (const [, product, key] of options)
    expect(DEMO_STORES.find(({ apiKey }) => apiKey === key)?.products.map(({ id }) => id)).toContain(product);
  const text = textOf(html.replaceAll('&#39;', "'").replaceAll('&quot;', '"'));
  expect(text.replaceAll(/\s*\\\n\s*/g, ' ')).toContain(curlCommand(FACTS.baseUrl));
  for (const file of ['cart.mjs', 'cart.py', 'cart.php']) expect(text).toContain(`Save it as ${file}.`);
});

test('the page shows what runs here, and the demo keys', async () => {
  const html = textOf(await (await givenDashboard()).text());
  for (const shown of Object.values(FACTS)) expect(html).toContain(shown);
  for (const { id, apiKey } of DEMO_STORES) expect(html).toMatch(new RegExp(`${id}\\s*${apiKey}`));
});

test('each button copies the text of an element that the page has', async () => {
  const html = await (await givenDashboard()).text();
  const ids = [...html.matchAll(/data-copy="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(DEMO_STORES.length + 4);
  for (const id of ids) expect(html).toContain(`id="${id}"`);
});

test('the page shows the endpoints and the latest deliveries, without queries and secrets', async () => {
  const { database, repositories, text } = await givenDashboard();
  const secret = await storeEndpoint(database, ENDPOINT);
  await storeEndpoint(database, {
    ...ENDPOINT,
    endpointId: 'we_3',
    disabled: { atMs: NOW_MS, reason: 'gone' },
  });
  const attempt = { atMs: NOW_MS, attempt: 1, status: 503, ms: 17, response: 'Hello Grace' };
  const next = { attempt: 2, atMs: NOW_MS + 5_000 };
  await repositories.deliveries.record(MESSAGE, { status: 'retrying', attempt, next }, NOW_MS);
  const html = await text();
  const endpoint = { Address: 'https://shop.example/hook', Events: 'all', Store: 'shop', Mode: 'test' };
  expect(
    rowsOf(html, 'endpoints').toSorted((a, b) => (String(a['State']) < String(b['State']) ? -1 : 1)),
  ).toMatchObject([
    { ...endpoint, State: 'disabled gone' },
    { ...endpoint, State: 'enabled' },
  ]);
  for (const id of ['we_1', 'we_3']) expect(html).toContain(`href="/endpoints/${id}"`);
  expect(rowsOf(html, 'deliveries')).toStrictEqual([
    {
      Recorded: '2026-01-15 12:30:00 UTC',
      Event: 'cart.completed',
      State:
        'retrying 503 · 17 ms next try due 2026-01-15 12:30:05 UTCYour server failed: its log has the reason.',
      Endpoint: 'https://shop.example/hook',
      Store: 'shop',
    },
  ]);
  expect(html).toContain(`href="/deliveries/we_1/${MESSAGE.eventId}-${NOW_MS}"`);
  for (const hidden of ['a-secret', 'Grace', secret]) expect(html).not.toContain(hidden);
});

describe('the page names the next step', () => {
  test('without an endpoint, to enter an address', async () => {
    const html = textOf(await (await givenDashboard()).text());
    expect(html).toContain('There is no endpoint yet. Enter an address below.');
    expect(html).toContain('No endpoint is enabled. Enter an address below.');
  });

  test('with an endpoint, to create a cart and pay', async () => {
    const { database, text } = await givenDashboard();
    await storeEndpoint(database, ENDPOINT);
    const html = textOf(await text());
    expect(html).toContain(
      'There is no delivery yet. Create a test cart, and pay: its webhook appears here.',
    );
    expect(html).toContain('There is no cart yet. Create a test cart above.');
  });
});

test('only endpoints of a store with a demo key have buttons', async () => {
  const { database, text } = await givenDashboard();
  await storeEndpoint(database, ENDPOINT);
  expect(await text()).not.toContain('data-request=');
  await storeEndpoint(database, { ...ENDPOINT, ...DEMO_LOG, endpointId: 'we_2' });
  const html = await text();
  expect(html).toContain('/api/v1/stores/webhook-endpoints/we_2/test');
  expect(html).toContain('&quot;method&quot;:&quot;DELETE&quot;');
});

test('the carts are those that are stored, also of an earlier process, with their status at this time', async () => {
  const { putCart, requests, text } = await givenDashboard();
  const open = await putCart({ id: idOf(1), expiresAtMs: NOW_MS + 1, createdAtMs: NOW_MS - 2 });
  const live = await putCart({ id: idOf(2), mode: 'live', expiresAtMs: NOW_MS, createdAtMs: NOW_MS - 1 });
  const html = await text();
  expect(html).toContain('<h2 id="carts">Carts</h2>');
  expect(rowsOf(html, 'carts').map((row) => [row['Mode'], row['Status']])).toStrictEqual([
    ['live', 'abandoned'],
    ['test', 'waiting payment'],
  ]);
  expect(html).toContain(`href="/carts/${open.id}"`);
  for (const { customerInfo } of [open, live]) {
    for (const value of Object.values(customerInfo)) expect(html).not.toContain(value);
  }

  const later = await putCart({ id: idOf(3), createdAtMs: NOW_MS, productName: HOSTILE });
  requests.add(createdBy(later.id));
  // A repetition with the same idempotency key, and a cart that was deleted.
  requests.add(createdBy(later.id));
  requests.add(createdBy(idOf(4)));
  const renewed = await text('/live');
  expect(rowsOf(renewed, 'carts').map(({ Mode }) => Mode)).toStrictEqual(['test', 'live', 'test']);
  expect(renewed).not.toContain(HOSTILE);
});

test('the list has the ten newest carts, and says so', async () => {
  const { putCart, text } = await givenDashboard();
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      putCart({ id: idOf(index), createdAtMs: NOW_MS - index, productName: `cart ${index}` }),
    ),
  );
  const html = await text('/live');
  expect(html).toContain('<h2 id="carts">The 10 newest carts</h2>');
  expect(rowsOf(html, 'carts').map(({ Product }) => Product)).toStrictEqual(
    Array.from({ length: 10 }, (_, index) => `cart ${index}`),
  );
});

test('the page shows the requests, the newest first, and marks those of its own', async () => {
  const { requests, text } = await givenDashboard();
  requests.add({ ...SERVED, isFromDashboard: true, method: 'PATCH' });
  expect(await text()).toContain('No program has sent a request since the start.');

  requests.add(SERVED);
  requests.add({ ...SERVED, method: 'DELETE' });
  for (const html of [await text(), await text('/live')]) {
    expect(rowsOf(html, 'requests').map(({ Method }) => Method)).toStrictEqual(['DELETE', 'GET', 'PATCH']);
    expect(html.match(/<tr role="row" class="from-page">/g)).toHaveLength(1);
    expect(html).toContain('<a class="keep" href="/errors#NOT_FOUND">NOT_FOUND</a> There is no such path.');
    expect(html).not.toContain('No program has sent a request since the start.');
  }
});

test('the page runs and loads only what the stage serves', async () => {
  const { get } = await givenDashboard();
  const response = await get('/');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  for (const [, script = ''] of (await response.text()).matchAll(/<script type="module" src="([^"]+)">/g))
    expect((await get(script)).status).toBe(200);
});

test.each([
  '/',
  '/live',
  '/live.js',
  '/requests.js',
  `/carts/${idOf(1)}`,
  `/deliveries/we_1/${MESSAGE.eventId}-${NOW_MS}`,
])('pages of other sites cannot read %s', async (path) => {
  const { get } = await givenDashboard();
  expect((await get(path, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' })).status).toBe(403);
  expect((await get(path, { Origin: 'https://evil.example' })).status).toBe(403);
  const { headers } = await get(path);
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('the page reports that the database does not respond', async () => {
  const { repositories } = await givenDashboard();
  const list = async (): Promise<never> => {
    throw new Error('The database does not respond');
  };
  const pages = homePages(FACTS, { ...repositories, endpoints: { ...repositories.endpoints, list } });
  const { baseUrl } = await givenGateway({}, { pages: () => pages });
  for (const path of ['/', '/live']) {
    const page = await fetch(baseUrl + path);
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('The database does not respond, or');
  }
});
