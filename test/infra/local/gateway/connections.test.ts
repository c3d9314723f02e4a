import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { RunningGateway } from '../../../../infra/local/gateway/gateway.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../../lib/http/errors.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import {
  exchangeBytes,
  givenConnection,
  givenGateway,
  readToEnd,
} from '../../../support/http/gateway-client.ts';

const CART = '/api/v1/stores/cart/1';
const CHECKOUT = '/api/v1/stores/cart/checkout';
const GET = `GET ${CART} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const POST = `POST ${CHECKOUT} HTTP/1.1\r\nHost: localhost\r\n`;
const PAYLOAD_BYTES_MAX = 10 * 1_024 * 1_024;

/** Expects raw bytes to be one response that has the shape of every error. */
const expectError = (received: string, kind: ApiErrorKind): void => {
  const { status, code, message } = API_ERRORS[kind];
  expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual([String(status)]);
  expect(received).toMatch(/\r\nContent-Type: application\/json\r\n/);
  expect(received).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(received.split('\r\n\r\n')[1] ?? '')).toEqual({ code, message });
};

/** A function that responds when the test calls `respond`. */
const givenSlowFunction = () => {
  const called = Promise.withResolvers<void>();
  const responds = Promise.withResolvers<void>();
  const handler: ProxyFunction = async () => {
    called.resolve();
    await responds.promise;
    return { statusCode: 200, body: 'done' };
  };
  return { called: called.promise, respond: responds.resolve, handler };
};

const bodyLength: ProxyFunction = async ({ body }) => ({ statusCode: 200, body: String(body?.length) });

const post = (gateway: RunningGateway, bytes: number): Promise<Response> =>
  fetch(gateway.baseUrl + CHECKOUT, { method: 'POST', body: new Uint8Array(bytes).fill(0x61) });

test.each<[string, ApiErrorKind, string]>([
  ['no HTTP', 'malformedRequest', 'hello\r\n\r\n'],
  ['TLS', 'malformedRequest', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', 'malformedRequest', `BREW ${CART} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ['an unknown expectation', 'malformedRequest', `${POST}Expect: 200-ok\r\nContent-Length: 0\r\n\r\n`],
  ['a tunnel', 'malformedRequest', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['two lengths', 'malformedRequest', `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
  ['a malformed body', 'malformedRequest', `${POST}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`],
  [
    'a malformed body on a path without a route',
    'malformedRequest',
    'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  ],
])('a request with %s gets one response, %s', async (_what, kind, bytes) => {
  expectError(await exchangeBytes(await givenGateway(), bytes), kind);
});

test.each(['', POST, `${POST}Content-Length: 2\r\n\r\n{`])(
  'a request that does not end gets 408, and its connection ends: "%s"',
  async (bytes) => {
    const gateway = await givenGateway({}, { requestTimeoutMs: 40 });

    expectError(await exchangeBytes(gateway, bytes), 'requestTimeout');
  },
);

test('a payload up to 10 MB reaches the function, and a larger one is rejected', async () => {
  const gateway = await givenGateway({ 'create-cart-checkout': bodyLength });

  expect(await (await post(gateway, PAYLOAD_BYTES_MAX)).text()).toBe(String(PAYLOAD_BYTES_MAX));
  const { code, message } = API_ERRORS.payloadTooLarge;
  const rejected = await post(gateway, PAYLOAD_BYTES_MAX + 1);
  expect([rejected.status, await rejected.json()]).toEqual([413, { code, message }]);
  expect(await (await post(gateway, 3)).text()).toBe('3');
});

test.each([
  ['before it is sent', `Content-Length: ${PAYLOAD_BYTES_MAX + 1}\r\n\r\n`],
  [
    'once it is, without a length',
    `Transfer-Encoding: chunked\r\n\r\n${`100000\r\n${'a'.repeat(0x10_00_00)}\r\n`.repeat(11)}`,
  ],
])('a payload over 10 MB is rejected %s', async (_what, rest) => {
  const socket = await givenConnection(await givenGateway());
  socket.write(POST + rest);

  expectError(String((await once(socket.setEncoding('utf8'), 'data'))[0]), 'payloadTooLarge');
});

test('a client that reads only after it has sent a large payload still gets the response', async () => {
  const socket = await givenConnection(await givenGateway());
  const length = 3 * PAYLOAD_BYTES_MAX;

  socket.pause();
  socket.write(`${POST}Content-Length: ${length}\r\n\r\n`);
  await new Promise<unknown>((resolve) => void socket.write(Buffer.alloc(length), resolve));
  const response = once(socket.setEncoding('utf8'), 'data');
  socket.resume();

  expectError(String((await response)[0]), 'payloadTooLarge');
});

test('a client that closes its connection early does not disturb others', async () => {
  const gateway = await givenGateway({ 'create-cart-checkout': bodyLength });
  const socket = await givenConnection(gateway);

  socket.write(`${POST}Content-Length: 100\r\n\r\nhalf`);
  socket.resetAndDestroy();

  expect(await (await post(gateway, 4)).text()).toBe('4');
});

test('a request in flight gets its response while the gateway closes', async () => {
  const slow = givenSlowFunction();
  const gateway = await givenGateway({ 'get-cart': slow.handler });
  const response = fetch(gateway.baseUrl + CART);
  await slow.called;

  const closed = Promise.all([gateway.close(), gateway.close()]);
  slow.respond();

  expect((await response).headers.get('connection')).toBe('close');
  expect(await (await response).text()).toBe('done');
  await closed;
  await expect(fetch(gateway.baseUrl + CART)).rejects.toThrow('fetch failed');
});

test('idle connections, used or not, are closed at once', async () => {
  const gateway = await givenGateway();
  const [used, unused] = [await givenConnection(gateway), await givenConnection(gateway)];
  for (const _ of [1, 2]) {
    used.write(GET);
    expect(String((await once(used, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  }

  await gateway.close();

  expect(await Promise.all([readToEnd(used), readToEnd(unused)])).toEqual(['', '']);
});

test('a request in flight is cut off after the close timeout', async () => {
  const slow = givenSlowFunction();
  const gateway = await givenGateway({ 'get-cart': slow.handler }, { closeTimeoutMs: 5 });
  const socket = await givenConnection(gateway);
  socket.write(GET);
  await slow.called;

  await gateway.close();

  expect(await readToEnd(socket)).toBe('');
});
