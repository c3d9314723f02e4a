import { once } from 'node:events';
import { expect, test } from 'vitest';
import { API_ERRORS } from '../../../../lib/http/errors.ts';
import { exchangeBytes, givenConnection, givenGateway, parseResponse, readToEnd } from './client.ts';

const PATH = '/api/v1/stores/cart/1';
const GET = `GET ${PATH} HTTP/1.1\r\nHost: h\r\n\r\n`;
const { status: _status, ...MALFORMED } = API_ERRORS.malformedRequest;

/** A function that answers when it is told to. */
const givenSlowFunction = () => {
  const called = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<undefined>();
  return {
    called: called.promise,
    answer: () => answered.resolve(undefined),
    handler: async () => {
      called.resolve(undefined);
      await answered.promise;
      return { statusCode: 200, body: 'done' };
    },
  };
};

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', `BREW ${PATH} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a header without a name', `GET ${PATH} HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n`],
  ['no Host', `GET ${PATH} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['a body with two lengths', `POST ${PATH} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`],
])('bytes with %s get a shaped answer', async (_what, bytes) => {
  const received = await exchangeBytes(await givenGateway(), bytes);

  expect(parseResponse(received)).toEqual({ status: 400, body: MALFORMED });
  expect(received).toMatch(/\r\nContent-Type: application\/json\r\n/);
  expect(received).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
});

test('headers that are too long are told as such', async () => {
  const bytes = `GET ${PATH} HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;

  expect(parseResponse(await exchangeBytes(await givenGateway(), bytes))).toEqual({
    status: 431,
    body: { code: 'MALFORMED_REQUEST', message: 'The HTTP headers are too large' },
  });
});

test('a malformed body gets a shaped answer', async () => {
  const received = await exchangeBytes(
    await givenGateway(),
    'POST /api/v1/stores/cart/checkout HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n',
  );

  expect(parseResponse(received)).toEqual({ status: 400, body: MALFORMED });
});

test('malformed bytes after a sound request are answered after it', async () => {
  const slow = givenSlowFunction();
  const gateway = await givenGateway({ 'get-cart': slow.handler });
  const socket = await givenConnection(gateway);

  socket.write(`${GET}nonsense\r\n\r\n`);
  await slow.called;
  slow.answer();

  expect(await readToEnd(socket)).toMatch(
    /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\ndoneHTTP\/1\.1 400 Bad Request\r\n/,
  );
});

test('malformed bytes that come with the head of a request that needs no body get one answer', async () => {
  const gateway = await givenGateway();
  const head = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

  const received = await exchangeBytes(gateway, `${head}ZZ\r\n`);

  expect(received.match(/HTTP\/1\.1 4\d\d/g)).toHaveLength(1);
  expect((await fetch(`${gateway.baseUrl}/api/v1/stores/cart/1`)).status).toBe(200);
});

test('a request for a tunnel does not overtake the answer before it', async () => {
  const gateway = await givenGateway();
  const bytes =
    'GET /api/v1/stores/cart/1 HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n';

  const received = await exchangeBytes(gateway, bytes);

  expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '404']);
});

test('a request for a tunnel is no route', async () => {
  const received = await exchangeBytes(await givenGateway(), 'CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n');

  expect(parseResponse(received).status).toBe(404);
});

test('a client that resets its request for a tunnel harms nobody else', async () => {
  const gateway = await givenGateway();
  const socket = await givenConnection(gateway);

  socket.write('CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n');
  await once(socket, 'data');
  socket.resetAndDestroy();
  await once(socket, 'close');

  expect((await fetch(gateway.baseUrl + PATH)).status).toBe(200);
});

test('a connection serves one request after the other', async () => {
  const socket = await givenConnection(await givenGateway());

  socket.write(GET);
  const [first] = await once(socket.setEncoding('utf8'), 'data');
  socket.write(GET);
  const [second] = await once(socket, 'data');

  expect(String(first)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(String(second)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a request in flight is answered while the gateway closes', async () => {
  const slow = givenSlowFunction();
  const gateway = await givenGateway({ 'get-cart': slow.handler });
  const response = fetch(gateway.baseUrl + PATH);
  await slow.called;

  const closed = gateway.close();
  slow.answer();

  expect((await response).headers.get('connection')).toBe('close');
  expect(await (await response).text()).toBe('done');
  await closed;
  await expect(fetch(gateway.baseUrl + PATH)).rejects.toThrow('fetch failed');
});

test('idle connections, used or not, are closed at once', async () => {
  const gateway = await givenGateway();
  const [used, unused] = [await givenConnection(gateway), await givenConnection(gateway)];
  used.write(GET);
  await once(used, 'data');

  await gateway.close();

  expect(await Promise.all([readToEnd(used), readToEnd(unused)])).toEqual(['', '']);
});

test('a request that does not end is cut off when the time to close is over', async () => {
  const slow = givenSlowFunction();
  const gateway = await givenGateway({ 'get-cart': slow.handler }, { closeTimeoutMs: 5 });
  const socket = await givenConnection(gateway);
  socket.write(GET);
  await slow.called;

  await gateway.close();

  expect(await readToEnd(socket)).toBe('');
});

test('close may be called again', async () => {
  const gateway = await givenGateway();

  await Promise.all([gateway.close(), gateway.close()]);

  await expect(gateway.close()).resolves.toBeUndefined();
});
