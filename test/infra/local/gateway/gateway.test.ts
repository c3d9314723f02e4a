import type { OutgoingHttpHeaders } from 'node:http';
import { Server } from 'node:net';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ALL_OPERATIONS } from '../../../../functions/operations.ts';
import { gatewayErrorBody } from '../../../../infra/contract/gateway-error.ts';
import { type Handlers, type ServedRequest, startGateway } from '../../../../infra/local/gateway/gateway.ts';
import { FunctionTimeoutError } from '../../../../infra/local/gateway/invocation.ts';
import { explorerPages } from '../../../../infra/local/pages/explorer/explorer-page.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../../lib/http/errors.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { givenGateway, sendAs } from '../../../support/http/gateway-client.ts';

const CHECKOUT = '/api/v1/stores/cart/checkout';
const CART = '/api/v1/stores/cart/1';

const expectError = async (response: Response, kind: ApiErrorKind): Promise<void> => {
  const { status, code } = API_ERRORS[kind];
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const { origin } = new URL(response.url);
  expect(response.headers.get('link')).toBe(`<${origin}/errors#${code}>; rel="help"`);
  expect(await response.text()).toBe(gatewayErrorBody(API_ERRORS[kind]));
};

/** The response to a request that a function serves, and the failures that were reported. */
const respondBy = async (handler: ProxyFunction) => {
  const failures: (readonly unknown[])[] = [];
  const options = {
    functionTimeoutMs: 50,
    reportFailure: (...failure: readonly unknown[]) => failures.push(failure),
  };
  const { baseUrl } = await givenGateway({ 'get-cart': handler }, options);
  return { response: await fetch(baseUrl + CART), failures };
};

test.each(ALL_OPERATIONS.map(({ method, path, functionName }) => [method, path, functionName]))(
  '%s %s reaches %s',
  async (method, path, functionName) => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    const { baseUrl } = await givenGateway();
    const server = listen.mock.results[0]!.value as Server;

    const response = await fetch(baseUrl + path.replace(/\{\w+\}/, '1'), { method });

    expect(await response.text()).toBe(functionName);
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(server.address()).toMatchObject({ address: '127.0.0.1' });
  },
);

test.each([
  ['GET', CHECKOUT],
  ['POST', CART],
  ['DELETE', CART],
  ['OPTIONS', CHECKOUT],
  ['GET', '/'],
])('%s %s has no route', async (method, path) => {
  const { baseUrl } = await givenGateway();

  await expectError(await fetch(baseUrl + path, { method }), 'routeNotFound');
});

const FOREIGN = { 'Sec-Fetch-Site': 'cross-site' };
const VISIT = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
const SANDBOX = '/sandbox/checkout/1';
const INTERNAL = '/internal/v1/carts/1';
const IN_CONTAINER = 'host.docker.internal:3000';

test.each<[string, string, string, OutgoingHttpHeaders]>([
  ['a page whose name leads here', 'GET', CART, { Host: 'evil.example:3000' }],
  ['a page whose name begins as this machine', 'GET', CART, { Host: '127.0.0.1.evil.example' }],
  ['a page whose name leads here, for a page', 'GET', '/docs', { Host: 'evil.example' }],
  ['a page whose name is that of this machine in containers', 'GET', INTERNAL, { Host: IN_CONTAINER }],
  ['a script of another site', 'GET', CART, { ...FOREIGN, 'Sec-Fetch-Mode': 'cors' }],
  ['a script of another port', 'POST', CHECKOUT, { 'Sec-Fetch-Site': 'same-site' }],
  [
    'a script that reads a cart as the payment side',
    'GET',
    INTERNAL,
    { ...FOREIGN, 'Sec-Fetch-Mode': 'cors' },
  ],
  ['an image of another site', 'GET', CART, { ...FOREIGN, 'Sec-Fetch-Mode': 'no-cors' }],
  ['a frame of another site', 'GET', SANDBOX, { ...FOREIGN, ...VISIT, 'Sec-Fetch-Dest': 'iframe' }],
])('a request of %s is rejected', async (_who, method, path, headers) => {
  const { baseUrl } = await givenGateway({}, { pages: explorerPages });

  const response = await sendAs(baseUrl + path, method, headers);

  const { status, code, message } = API_ERRORS.forbidden;
  expect(response.status).toBe(status);
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect(JSON.parse(response.body)).toEqual({ code, message });
});

test.each<[string, string, string, OutgoingHttpHeaders]>([
  ['a program', 'POST', CHECKOUT, {}],
  ['a program by another name of this machine', 'POST', CHECKOUT, { Host: 'LOCALHOST:8080' }],
  ['a program by the address of IPv6', 'GET', CART, { Host: '[::1]:3000' }],
  ['the payment side, without a signature', 'GET', INTERNAL, {}],
  ["a buyer who follows the merchant's link", 'GET', SANDBOX, { ...FOREIGN, ...VISIT }],
  ['a buyer who enters the address', 'GET', SANDBOX, { ...VISIT, 'Sec-Fetch-Site': 'none' }],
  // The function of the payment page rejects them, with a page.
  ['a form of another site', 'POST', SANDBOX, { ...FOREIGN, ...VISIT }],
  ['an old browser for another site', 'POST', SANDBOX, { Origin: 'https://evil.example' }],
  ['an old browser for a page without an origin', 'POST', SANDBOX, { Origin: 'null' }],
  ['the payment form', 'POST', SANDBOX, { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
  [
    'the payment form in an old browser',
    'POST',
    SANDBOX,
    { Host: 'localhost:1', Origin: 'http://localhost:1' },
  ],
  [
    'the page of the contract',
    'POST',
    CHECKOUT,
    { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' },
  ],
])('a request of %s is served', async (_who, method, path, headers) => {
  const { baseUrl } = await givenGateway();

  expect(await sendAs(baseUrl + path, method, headers)).toMatchObject({ status: 200 });
});

test('a stage for containers serves their programs, and rejects pages of other sites', async () => {
  const { baseUrl } = await givenGateway({}, { containers: true });

  expect(await sendAs(baseUrl + CHECKOUT, 'POST', { Host: IN_CONTAINER })).toMatchObject({ status: 200 });
  const foreign = { Host: IN_CONTAINER, Origin: 'http://evil.example' };
  expect(await sendAs(baseUrl + CHECKOUT, 'POST', foreign)).toMatchObject({ status: 403 });
});

test('a path of up to 1,400 bytes reaches its function, and a longer one no function', async () => {
  const { baseUrl } = await givenGateway();
  const pathOf = (bytes: number): string => CART.padEnd(bytes, '0');

  expect((await fetch(`${baseUrl}${pathOf(1_400)}?a=${'a'.repeat(1_000)}`)).status).toBe(200);
  await expectError(await fetch(baseUrl + pathOf(1_401)), 'pathTooLong');
});

test('a function gets the event and the context of its invocation', async () => {
  const seen: { event: APIGatewayProxyEvent; context: Context }[] = [];
  const handler: ProxyFunction = async (event, context) => {
    seen.push({ event, context });
    return { statusCode: 201, body: '' };
  };
  const { baseUrl } = await givenGateway({ 'create-cart-checkout': handler });
  const startsAtMs = Date.now();

  await fetch(`${baseUrl}${CHECKOUT}?a=1`, { method: 'POST', body: '{"a":"é"}' });

  const { event, context } = seen[0]!;
  expect(event).toMatchObject({
    body: '{"a":"é"}',
    isBase64Encoded: false,
    queryStringParameters: { a: '1' },
    requestContext: { identity: { sourceIp: '127.0.0.1' } },
  });
  expect(event.requestContext.requestTimeEpoch).toBeGreaterThanOrEqual(startsAtMs);
  expect(context.functionName).toBe('create-cart-checkout');
  expect(context.awsRequestId).not.toBe(event.requestContext.requestId);
  expect(context.getRemainingTimeInMillis()).toBeLessThanOrEqual(6_000);
});

test('the result of a function is sent unchanged, and as JSON unless its headers differ', async () => {
  const headers = { 'X-Count': 3, 'content-type': 'text/plain' };
  const text = await respondBy(async () => ({ statusCode: 201, headers, body: 'é' }));
  const body = Buffer.from([0, 255, 128]).toString('base64');
  const binary = await respondBy(async () => ({ statusCode: 200, isBase64Encoded: true, body }));

  expect(text.response.status).toBe(201);
  expect(Object.fromEntries(text.response.headers)).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '2',
    'x-count': '3',
  });
  expect(await text.response.text()).toBe('é');
  expect(binary.response.headers.get('content-type')).toBe('application/json');
  expect([...(await binary.response.bytes())]).toEqual([0, 255, 128]);
});

const reason = new Error('secret');

test.each<[string, ApiErrorKind, unknown, ProxyFunction]>([
  ['rejects', 'functionFailed', reason, async () => Promise.reject(reason)],
  ['has no result', 'functionFailed', expect.any(TypeError), async () => undefined as never],
  ['has no body', 'functionFailed', expect.any(TypeError), async () => ({ statusCode: 200 }) as never],
  [
    'returns a header with a line break',
    'functionFailed',
    expect.any(TypeError),
    async () => ({ statusCode: 200, headers: { 'X-A': 'a\r\nX-B: b' }, body: '' }),
  ],
  [
    'does not respond in time',
    'functionFailed',
    new FunctionTimeoutError(50),
    () => new Promise(() => undefined),
  ],
])(
  'a function that %s leads to the error %s, and only the operator gets the reason',
  async (_, kind, cause, handler) => {
    const { response, failures } = await respondBy(handler);

    const requestId = response.headers.get('x-request-id');
    expect(failures).toEqual([['get-cart', requestId, cause]]);
    await expectError(response, kind);
  },
);

test('a request waits for the functions to load, and its time limit starts after that', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const handler: ProxyFunction = async (_event, context) => ({
    statusCode: 200,
    body: String(context.getRemainingTimeInMillis()),
  });
  const loading = Promise.withResolvers<Handlers>();
  const load = (): void => {
    vi.advanceTimersByTime(10_000);
    loading.resolve({ 'get-cart': handler });
  };
  const gateway = await startGateway({
    routes: ALL_OPERATIONS,
    port: 0,
    // The gateway reads the handlers when a request waits for them.
    get handlers() {
      setImmediate(load);
      return loading.promise;
    },
  });
  onTestFinished(() => gateway.close());
  const { baseUrl } = gateway;

  const response = await fetch(`${baseUrl}${CART}`);

  expect(await response.text()).toBe('6000');
});

test('a failure after the timeout has no effect', async () => {
  const late = Promise.withResolvers<never>();
  const { response } = await respondBy(() => late.promise);
  late.reject(reason);

  await expectError(response, 'functionFailed');
});

test('each request that got its response is reported whole, except those for pages', async () => {
  const reported: ServedRequest[] = [];
  const { baseUrl } = await givenGateway(
    {},
    { pages: explorerPages, onServed: (served) => reported.push(served) },
  );

  await sendAs(`${baseUrl}/sandbox/checkout/1?a=1`, 'POST', { 'X-Sent-By': 'dashboard' }, 'action=pay');
  await fetch(`${baseUrl}/docs`);
  await sendAs(`${baseUrl}/nothing`, 'POST', {});
  await sendAs(baseUrl + CART, 'GET', FOREIGN);

  expect(
    reported.map(({ method, target, match, body, response: { status } }) => [
      method,
      target,
      match?.route.functionName,
      body?.toString(),
      status,
    ]),
  ).toStrictEqual([
    ['POST', '/sandbox/checkout/1?a=1', 'sandbox-checkout', 'action=pay', 200],
    ['POST', '/nothing', undefined, undefined, 404],
    ['GET', CART, 'get-cart', undefined, 403],
  ]);
  expect(reported[0]?.rawHeaders).toContain('X-Sent-By');
  expect(new Set(reported.map(({ requestId }) => requestId)).size).toBe(3);
  for (const { durationMs } of reported) expect(durationMs).toBeGreaterThanOrEqual(0);
});
