import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import type { IntegrationFailure } from '../../../../infra/local/gateway/integration.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { startGateway } from '../../../../infra/local/gateway/gateway.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../../lib/http/errors.ts';
import { givenGateway } from './client.ts';

const CHECKOUT = '/api/v1/stores/cart/checkout';
const CART = '/api/v1/stores/cart/1';

const expectError = async (response: Response, kind: ApiErrorKind): Promise<void> => {
  const { status, code, message } = API_ERRORS[kind];
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await response.json()).toEqual({ code, message });
};

/** A handler whose result no type has checked. */
const returning = (result: unknown): ProxyFunction =>
  vi.fn<ProxyFunction>().mockResolvedValue(result as never);

const getCart = async (handler: ProxyFunction): Promise<Response> => {
  const { baseUrl } = await givenGateway({ 'get-cart': handler }, { reportFailure: () => undefined });
  return fetch(baseUrl + CART);
};

test('each operation reaches its function', async () => {
  const { baseUrl } = await givenGateway();

  const created = await fetch(baseUrl + CHECKOUT, { method: 'POST', body: '{}' });
  const retrieved = await fetch(`${baseUrl}/api/v1/stores/cart/a%20b`);

  expect(await created.json()).toEqual({ name: 'create-cart-checkout', pathParameters: null });
  expect(await retrieved.json()).toEqual({ name: 'get-cart', pathParameters: { cartId: 'a b' } });
});

test.each([
  ['GET', CHECKOUT],
  ['POST', CART],
  ['PUT', CHECKOUT],
  ['DELETE', CART],
  ['PATCH', CART],
  ['OPTIONS', CHECKOUT],
  ['POST', `${CHECKOUT}/`],
  ['GET', `${CART}/`],
  ['GET', '/api/v1/stores/cart/'],
  ['GET', '/api/v1/stores/cart'],
  ['GET', '//api/v1/stores/cart/1'],
  ['GET', '/'],
])('%s %s is no route', async (method, path) => {
  const { baseUrl } = await givenGateway();

  await expectError(await fetch(baseUrl + path, { method }), 'routeNotFound');
});

test('HEAD is no route, and its answer has no body', async () => {
  const { baseUrl } = await givenGateway();

  const response = await fetch(baseUrl + CART, { method: 'HEAD' });

  expect(response.status).toBe(404);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
  expect(await response.text()).toBe('');
});

test('a path parameter in invalid percent-encoding reaches the function as it is', async () => {
  const { baseUrl } = await givenGateway();

  const response = await fetch(`${baseUrl}/api/v1/stores/cart/%zz`);

  expect(await response.json()).toMatchObject({ pathParameters: { cartId: '%zz' } });
});

test('the function gets the event and a context of its own invocation', async () => {
  let seen: { event: APIGatewayProxyEvent; context: Context } | undefined;
  const ids = ['request-1', 'invocation-1'];
  const { baseUrl } = await givenGateway(
    {
      'create-cart-checkout': async (event, context) => {
        seen = { event, context };
        return { statusCode: 201, body: '' };
      },
    },
    { now: () => Date.UTC(2026, 10, 20), newRequestId: () => ids.shift() ?? 'too many' },
  );

  await fetch(`${baseUrl}${CHECKOUT}?a=1`, { method: 'POST', body: '{"a":"é"}' });

  expect(seen?.event).toMatchObject({
    body: '{"a":"é"}',
    isBase64Encoded: false,
    queryStringParameters: { a: '1' },
    requestContext: {
      requestId: 'request-1',
      requestTimeEpoch: Date.UTC(2026, 10, 20),
      identity: { sourceIp: '127.0.0.1' },
    },
  });
  expect(seen?.context.awsRequestId).toBe('invocation-1');
  expect(seen?.context.functionName).toBe('create-cart-checkout');
  expect(seen?.context.getRemainingTimeInMillis()).toBe(6_000);
});

test('the answer of the function is passed on, byte for byte', async () => {
  const response = await getCart(
    returning({
      statusCode: 201,
      headers: {
        'X-Count': 3,
        'x-dropped': undefined,
        'Content-Type': 'text/plain',
        'Content-Length': '9999',
      },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'], 'x-count': [4] },
      body: 'é',
    }),
  );

  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(response.headers.get('content-length')).toBe('2');
  expect(response.headers.get('x-count')).toBe('4');
  expect(response.headers.has('x-dropped')).toBe(false);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.text()).toBe('é');
});

test('a body in base64 is sent as the bytes it stands for', async () => {
  const body = Buffer.from([0, 255, 128]).toString('base64');

  const response = await getCart(returning({ statusCode: 200, isBase64Encoded: true, body }));

  expect([...(await response.bytes())]).toEqual([0, 255, 128]);
});

test('an answer is JSON unless the function says otherwise', async () => {
  const response = await getCart(returning({ statusCode: 200, body: '{}' }));

  expect(response.headers.get('content-type')).toBe('application/json');
});

test('an answer 204 has neither a body nor a length', async () => {
  const response = await getCart(returning({ statusCode: 204, body: 'ignored' }));

  expect(response.status).toBe(204);
  expect(response.headers.has('content-length')).toBe(false);
  expect(await response.text()).toBe('');
});

test.each([
  ['an Error', async () => Promise.reject(new Error('secret'))],
  ['undefined', async () => Promise.reject(undefined as unknown as Error)],
  [
    'before it returns a promise',
    () => {
      throw new Error('secret');
    },
  ],
] satisfies [string, ProxyFunction][])(
  'a function that throws %s is an internal error',
  async (_what, handler) => {
    await expectError(await getCart(handler), 'internal');
  },
);

test('why a function failed is reported to the operator, with the request id that the client got', async () => {
  const failures: IntegrationFailure[] = [];
  const reason = new Error('secret');
  const { baseUrl } = await givenGateway(
    { 'get-cart': async () => Promise.reject(reason) },
    { reportFailure: (failure) => void failures.push(failure) },
  );

  const response = await fetch(baseUrl + CART);

  expect(failures).toEqual([
    { functionName: 'get-cart', requestId: response.headers.get('x-request-id'), reason },
  ]);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a string', 'ok'],
  ['a list', []],
  ['no status', { body: 'ok' }],
  ['a status in text', { statusCode: '200', body: 'ok' }],
  ['a fractional status', { statusCode: 200.5, body: 'ok' }],
  ['a status that HTTP does not have', { statusCode: 99, body: 'ok' }],
  ['an interim status', { statusCode: 100, body: 'ok' }],
  ['a body that is no text', { statusCode: 200, body: { ok: true } }],
  ['headers that are no map', { statusCode: 200, headers: 'x', body: 'ok' }],
  ['a header with a line break', { statusCode: 200, headers: { 'X-A': 'a\r\nX-B: b' }, body: 'ok' }],
  ['a header name with a space', { statusCode: 200, headers: { 'X A': 'a' }, body: 'ok' }],
  ['a header that is a list', { statusCode: 200, headers: { 'X-A': ['a'] }, body: 'ok' }],
  [
    'a multi-value header that is no list',
    { statusCode: 200, multiValueHeaders: { 'X-A': 'a' }, body: 'ok' },
  ],
])('a function that returns %s is an internal error', async (_what, result) => {
  await expectError(await getCart(returning(result)), 'internal');
});

test('a function that does not answer in time is an integration timeout, and its late failure is dropped', async () => {
  const late = Promise.withResolvers<never>();
  const { baseUrl } = await givenGateway(
    { 'get-cart': () => late.promise },
    { functionTimeoutMs: 5, reportFailure: () => undefined },
  );

  const response = await fetch(baseUrl + CART);
  late.reject(new Error('too late'));

  await expectError(response, 'integrationTimeout');
  expect((await fetch(baseUrl + CHECKOUT, { method: 'POST' })).status).toBe(200);
});

test('a port in use is told in one sentence', async () => {
  const { baseUrl } = await givenGateway();
  const port = Number(new URL(baseUrl).port);

  const second = startGateway({ routes: [], handlers: {}, port });

  await expect(second).rejects.toThrow(
    new Error(`Port ${port} is in use: choose another with --port N (0 = any free).`),
  );
});

test('the base URL is the address that it is bound to', async () => {
  const { baseUrl } = await givenGateway();

  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
});
