import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import type { RunningGateway } from '../../../../infra/local/gateway/gateway.ts';
import { API_ERRORS } from '../../../../lib/http/errors.ts';
import { exchangeBytes, givenConnection, givenGateway, parseResponse } from './client.ts';

const PATH = '/api/v1/stores/cart/checkout';
const PAYLOAD_BYTES_MAX = 10 * 1_024 * 1_024;
const { status: _status, ...TOO_LARGE } = API_ERRORS.payloadTooLarge;

const answerLength: ProxyFunction = async ({ body }) => ({ statusCode: 200, body: String(body?.length) });

const post = (gateway: RunningGateway, bytes: number): Promise<Response> =>
  fetch(gateway.baseUrl + PATH, { method: 'POST', body: new Uint8Array(bytes).fill(0x61) });

test('a payload of 10 MB reaches the function', async () => {
  const gateway = await givenGateway({ 'create-cart-checkout': answerLength });

  const response = await post(gateway, PAYLOAD_BYTES_MAX);

  expect(await response.text()).toBe(String(PAYLOAD_BYTES_MAX));
});

test('a payload over 10 MB is refused, and the gateway goes on serving', async () => {
  const gateway = await givenGateway({ 'create-cart-checkout': answerLength });

  const refused = await post(gateway, PAYLOAD_BYTES_MAX + 1);

  expect(refused.status).toBe(413);
  expect(await refused.json()).toEqual(TOO_LARGE);
  expect(await (await post(gateway, 3)).text()).toBe('3');
});

test('a payload whose announced length is over 10 MB is refused before it is sent', async () => {
  const gateway = await givenGateway();
  const socket = await givenConnection(gateway);

  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: h\r\nContent-Length: ${PAYLOAD_BYTES_MAX + 1}\r\n\r\n`);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');

  expect(parseResponse(String(answer))).toEqual({ status: 413, body: TOO_LARGE });
});

test('a payload without an announced length is refused once it is over 10 MB', async () => {
  const gateway = await givenGateway();
  const socket = await givenConnection(gateway);
  const mebibyte = `100000\r\n${'a'.repeat(0x10_00_00)}\r\n`;

  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let sent = 0; sent < 11; sent += 1) socket.write(mebibyte);
  const [answer] = await once(socket.setEncoding('utf8'), 'data');

  expect(parseResponse(String(answer))).toEqual({ status: 413, body: TOO_LARGE });
});

test('a client that only reads once it has sent all of a large payload still gets the answer', async () => {
  const gateway = await givenGateway();
  const socket = await givenConnection(gateway);
  const length = 3 * PAYLOAD_BYTES_MAX;

  socket.pause();
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n`);
  await new Promise<unknown>((resolve) => void socket.write(Buffer.alloc(length), resolve));
  const answer = once(socket.setEncoding('utf8'), 'data');
  socket.resume();

  expect(parseResponse(String((await answer)[0]))).toEqual({ status: 413, body: TOO_LARGE });
});

const asking = (headers: string): string =>
  `POST ${PATH} HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n${headers}\r\n\r\n`;

test('a client that asks before it sends its payload is told to go on', async () => {
  const gateway = await givenGateway({ 'create-cart-checkout': answerLength });

  const received = await exchangeBytes(gateway, `${asking('Content-Length: 2\r\nConnection: close')}{}`);

  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
});

test('a client that asks before it sends too large a payload is refused, and the connection ends', async () => {
  const received = await exchangeBytes(
    await givenGateway(),
    asking(`Content-Length: ${PAYLOAD_BYTES_MAX + 1}`),
  );

  expect(parseResponse(received)).toEqual({ status: 413, body: TOO_LARGE });
});

test('a client that goes away in the middle of its body harms nobody else', async () => {
  const gateway = await givenGateway({ 'create-cart-checkout': answerLength });
  const socket = await givenConnection(gateway);

  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf`);
  socket.resetAndDestroy();

  expect(await (await post(gateway, 4)).text()).toBe('4');
});
