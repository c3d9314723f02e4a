import { expect, test } from 'vitest';
import { DEMO_STORES } from '../../../../../infra/local-access/demo-stores.ts';
import { curlCommand } from '../../../../../infra/local/demo/curl-command.ts';
import { homePages } from '../../../../../infra/local/pages/home/home-page.ts';
import { UnreadableItemError } from '../../../../../lib/database/readable-item.ts';
import manifest from '../../../../../package.json' with { type: 'json' };
import { NOW_MS } from '../../../../support/clock.ts';
import { givenGateway } from '../../../../support/http/gateway-client.ts';
import { BASE_URL, givenDashboard, idOf, rowsOf, OPTIONS, SERVED, textOf } from '../pages.ts';

const DELIVERY = `/deliveries/we_1/evt_${'0'.repeat(32)}-${NOW_MS}`;

test('the page begins with a button, the products of the demo stores, and the call in four languages', async () => {
  const html = await (await givenDashboard()).text();
  expect(html.indexOf('Create a test cart</button>')).toBeLessThan(html.indexOf('id="live"'));
  const options = [...html.matchAll(/<option value="([^"]+)" data-key="([^"]+)">/g)];
  expect(options.map(([, product]) => product)).toStrictEqual(['one-course', 'one-donation', 'two-poster']);
  for (const [, product, key] of options)
    expect(DEMO_STORES.find(({ apiKey }) => apiKey === key)?.products.map(({ id }) => id)).toContain(product);
  const text = textOf(html.replaceAll('&#39;', "'").replaceAll('&quot;', '"'));
  expect(text.replaceAll(/\s*\\\n\s*/g, ' ')).toContain(curlCommand(BASE_URL));
  for (const file of ['cart.mjs', 'cart.py', 'cart.php']) expect(text).toContain(`Save it as ${file}.`);
});

test('the page shows what runs here, and the demo keys', async () => {
  const html = textOf(await (await givenDashboard()).text());
  for (const shown of [BASE_URL, manifest.version, OPTIONS.checkoutUrl, 'in memory: the data is lost'])
    expect(html).toContain(shown);
  for (const { id, apiKey } of DEMO_STORES) expect(html).toMatch(new RegExp(`${id}\\s*${apiKey}`));
});

test('a stage without a cart explains the first steps, and one with carts is shorter', async () => {
  const { putCart, text } = await givenDashboard();
  expect(await text()).toContain('<h2>Create, pay, get the webhook</h2>');
  await putCart({ id: idOf(1) });
  const later = await givenDashboard();
  await later.putCart({ id: idOf(1) });
  const html = await later.text();
  expect(html).not.toContain('<h2>Create, pay, get the webhook</h2>');
  expect(html).toContain('<summary>The same call from your server, and the demo keys</summary>');
});

test('the page has the five newest of each list, and leads to the whole ones', async () => {
  const { putCart, requests, text } = await givenDashboard();
  await Promise.all(
    Array.from({ length: 7 }, (_, index) =>
      putCart({ id: idOf(index), createdAtMs: NOW_MS - index, productName: `cart ${index}` }),
    ),
  );
  for (let index = 0; index < 7; index += 1) requests.add({ ...SERVED, durationMs: index });
  for (const html of [await text(), await text('/live')]) {
    expect(rowsOf(html, 'carts').map(({ Product }) => Product)).toStrictEqual(
      Array.from({ length: 5 }, (_, index) => `cart ${index}`),
    );
    expect(rowsOf(html, 'requests').map(({ Duration }) => Duration)).toStrictEqual(
      Array.from({ length: 5 }, (_, index) => `${6 - index} ms`),
    );
    for (const list of ['carts', 'requests', 'events']) expect(html).toContain(`href="/${list}"`);
  }
});

test('each button copies the text of an element that the page has', async () => {
  const html = await (await givenDashboard()).text();
  const ids = [...html.matchAll(/data-copy="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(DEMO_STORES.length + 4);
  for (const id of ids) expect(html).toContain(`id="${id}"`);
});

test('the page runs and loads only what the stage serves', async () => {
  const { get } = await givenDashboard();
  const response = await get('/');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
  );
  for (const [, script = ''] of (await response.text()).matchAll(/<script type="module" src="([^"]+)">/g))
    expect((await get(script)).status).toBe(200);
});

test.each([
  '/',
  '/live',
  '/requests',
  '/requests/live',
  '/browser/live.js',
  '/browser/forms.js',
  `/carts/${idOf(1)}`,
  DELIVERY,
])('pages of other sites cannot read %s', async (path) => {
  const { get } = await givenDashboard();
  expect((await get(path, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' })).status).toBe(403);
  expect((await get(path, { Origin: 'https://evil.example' })).status).toBe(403);
  const { headers } = await get(path);
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

/** The dashboard of a stage whose reads of endpoints fail. */
const givenFailure = async (error: Error) => {
  const { sources } = await givenDashboard();
  const list = async (): Promise<never> => {
    throw error;
  };
  const pages = homePages(BASE_URL, OPTIONS, {
    ...sources,
    endpoints: { ...sources.endpoints, list },
  });
  const reported: unknown[] = [];
  const { baseUrl } = await givenGateway(
    {},
    { pages: () => pages, reportFailure: (_name, _id, reason) => reported.push(reason) },
  );
  return { baseUrl, reported };
};

test('a defect is a failure of the page, not of the database', async () => {
  const defect = new TypeError('Cannot read properties of undefined');
  const { baseUrl, reported } = await givenFailure(defect);
  const page = await fetch(baseUrl);
  expect([page.status, await page.text()]).toEqual([500, expect.not.stringContaining('database')]);
  expect(reported).toStrictEqual([defect]);
});

test.each([
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  Object.assign(new Error('No response in time'), { name: 'TimeoutError' }),
  new UnreadableItemError('A stored endpoint has the schema version 2'),
])('the page reports that the database cannot be read: $message', async (error) => {
  const { baseUrl } = await givenFailure(error);
  for (const path of ['/', '/live']) {
    const page = await fetch(baseUrl + path);
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('The database does not respond, or');
  }
});
