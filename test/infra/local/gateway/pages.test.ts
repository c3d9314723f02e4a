import { expect, test, vi } from 'vitest';
import { gatewayErrorBody } from '../../../../infra/contract/gateway-error.ts';
import { explorerPages } from '../../../../infra/local/pages/explorer/explorer-page.ts';
import { unknownPage } from '../../../../infra/local/pages/parts/html-page.ts';
import { API_ERRORS } from '../../../../lib/http/errors.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { givenGateway } from '../../../support/http/gateway-client.ts';

const CART = '/api/v1/stores/cart/1';

test('HEAD gets the headers of a page, and as on AWS, no route of an operation', async () => {
  const { baseUrl } = await givenGateway({}, { pages: explorerPages });
  const [page, head, ...operations] = await Promise.all([
    fetch(`${baseUrl}/docs`),
    fetch(`${baseUrl}/docs`, { method: 'HEAD' }),
    fetch(baseUrl + CART, { method: 'HEAD' }),
    fetch(`${baseUrl}/internal/v1/carts/1`, { method: 'HEAD' }),
  ]);

  for (const name of ['content-type', 'content-security-policy', 'cache-control'])
    expect(head.headers.get(name), name).toBe(page.headers.get(name));
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const each of operations) expect([each.status, await each.text()]).toEqual([404, '']);
});

test('HEAD of the payment page reaches its function as GET', async () => {
  const methods: string[] = [];
  const handler: ProxyFunction = async ({ httpMethod }) => {
    methods.push(httpMethod);
    return { statusCode: 200, body: 'the page' };
  };
  const { baseUrl } = await givenGateway({ 'sandbox-checkout': handler });
  const response = await fetch(`${baseUrl}/sandbox/checkout/1`, { method: 'HEAD' });

  expect([response.status, await response.text(), methods]).toEqual([200, '', ['GET']]);
});

test('a failure of a page is reported without the control characters of its request', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const fail = async (): Promise<never> => {
    throw new Error('no \u001B[2J\r\u009B\u202E');
  };
  const { baseUrl } = await givenGateway({}, { pages: () => () => fail });

  expect((await fetch(baseUrl)).status).toBe(500);
  const [text] = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();
  expect(text).toMatch(/^page failed on request [\da-f-]{36}: Error: no \?\[2J\?\?\?\n/);
});

test('a form of more than 10 MB is rejected', async () => {
  const { baseUrl } = await givenGateway(
    {},
    { forms: () => () => async () => ({ status: 200, headers: [], body: '' }) },
  );

  const body = new Uint8Array(10 * 1_024 * 1_024 + 1);
  expect((await fetch(baseUrl, { method: 'POST', body })).status).toBe(413);
});

const HTML = { Accept: 'text/html,*/*;q=0.8' };

test('a browser that asks for an unknown address gets a page that leads on', async () => {
  const { baseUrl } = await givenGateway({}, { pages: explorerPages, unknownPage });

  const response = await fetch(`${baseUrl}/docs/<b>`, { headers: HTML });

  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  const html = await response.text();
  expect(html).toContain('<code>/docs/%3Cb%3E</code>');
  expect(html).toContain('<a href="/docs">');
});

test.each([
  ['a program', 'GET', '/nothing', {}],
  ['a form', 'POST', '/nothing', HTML],
  ['a browser within the API', 'GET', '/api/v1/nothing', HTML],
  ['a browser within the internal API', 'GET', '/internal', HTML],
])('%s that asks for an unknown address gets the error as JSON', async (_who, method, path, headers) => {
  const { baseUrl } = await givenGateway({}, { pages: explorerPages, unknownPage });

  const response = await fetch(baseUrl + path, { method, headers });

  expect(response.status).toBe(404);
  expect(await response.text()).toBe(gatewayErrorBody(API_ERRORS.routeNotFound));
});

test('a browser that opens a payment page reaches its function', async () => {
  const { baseUrl } = await givenGateway({}, { pages: explorerPages, unknownPage });

  expect((await fetch(`${baseUrl}/sandbox/checkout/1`, { headers: HTML })).status).toBe(200);
});
