import { expect, test } from 'vitest';
import { contractDocument } from '../../../../../infra/contract/document.ts';
import { gatewayErrorBody } from '../../../../../infra/contract/gateway-error.ts';
import { DEMO_STORES } from '../../../../../infra/local-access/demo-stores.ts';
import { browserFiles } from '../../../../../infra/local/pages/browser-files.ts';
import { explorerPages } from '../../../../../infra/local/pages/explorer/explorer-page.ts';
import { API_ERRORS } from '../../../../../lib/http/errors.ts';
import { exchangeBytes, givenGateway } from '../../../../support/http/gateway-client.ts';

const givenPages = async () => {
  const { baseUrl } = await givenGateway(
    {},
    { pages: (address) => (path) => explorerPages(address)(path) ?? browserFiles(path) },
  );
  return { baseUrl, get: (path: string, init?: RequestInit) => fetch(baseUrl + path, init) };
};

test('the served contract has the address of the stage', async () => {
  const { baseUrl, get } = await givenPages();

  const response = await get('/openapi.json');

  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toStrictEqual({
    ...contractDocument(),
    servers: [{ url: baseUrl }],
  });
});

test('the page loads everything from the stage', async () => {
  const { get } = await givenPages();

  const page = await get('/docs');
  const html = await page.text();
  const addresses = [...html.matchAll(/(?:src|<link .*href)="(?!data:)([^"]*)"/g)].map(([, address]) =>
    String(address),
  );
  const loaded = await Promise.all(addresses.map((address) => get(address)));

  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(addresses.filter((address) => !address.startsWith('/'))).toStrictEqual([]);
  expect(loaded.map(({ status }) => status)).toStrictEqual(addresses.map(() => 200));
  expect(loaded.map(({ headers }) => headers.get('content-type')?.replace(/;.*/, ''))).toStrictEqual([
    'text/css',
    'text/css',
    'text/css',
    'text/javascript',
    'text/javascript',
  ]);
});

test('the page has the first demo key, which the script enters', async () => {
  const html = await (await (await givenPages()).get('/docs')).text();

  expect(html).toContain(`data-api-key="${DEMO_STORES[0]?.apiKey}"`);
  expect(contractDocument()).toMatchObject({
    components: { securitySchemes: { apiKey: { scheme: 'bearer' } } },
  });
});

test('the security policy limits the page to the stage', async () => {
  const { get } = await givenPages();

  const policy = (await get('/docs')).headers.get('content-security-policy')?.split('; ');

  expect(policy).toContain("default-src 'none'");
  for (const directive of policy ?? [])
    expect(directive).toMatch(/^[a-z-]+ (?:'none'|'self'(?: data:| 'sha256-[^']+')?)$/);
});

test('a request that names the whole address gets the page', async () => {
  const gateway = await givenGateway({}, { pages: explorerPages });
  const request = `GET ${gateway.baseUrl}/docs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

  expect(await exchangeBytes(gateway, request)).toContain('<title>Try the API ');
});

test('other methods and addresses go to the routes', async () => {
  const { get } = await givenPages();

  for (const [path, method] of [
    ['/docs', 'POST'],
    ['/docs/', 'GET'],
    ['/docs/../package.json', 'GET'],
    ['/docs/index.html', 'GET'],
  ] as const) {
    const response = await get(path, { method });
    expect([path, response.status, await response.json()]).toStrictEqual([
      path,
      404,
      JSON.parse(gatewayErrorBody(API_ERRORS.routeNotFound)),
    ]);
  }
});
