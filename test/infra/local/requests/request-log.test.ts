import { expect, test } from 'vitest';
import { ALL_OPERATIONS } from '../../../../functions/operations.ts';
import { LISTEN_USER_AGENT } from '../../../../infra/local-access/listen-user-agent.ts';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { errorResponse } from '../../../../infra/local/gateway/response.ts';
import { createRouter } from '../../../../infra/local/gateway/router.ts';
import {
  BYTES_MAX,
  createRequestLog,
  LOGGED_REQUESTS_MAX,
} from '../../../../infra/local/requests/request-log.ts';
import type { Sender } from '../../../../infra/local/requests/sender.ts';
import { BODY_BYTES_MAX } from '../../../../lib/http/body/json-body.ts';
import { API_ERRORS } from '../../../../lib/http/errors.ts';
import { NOW_MS } from '../../../support/clock.ts';

const ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
const JSON_TYPE = [['Content-Type', 'application/json']] as const;

const served = (method: string, target: string, changes: Partial<ServedRequest> = {}): ServedRequest => ({
  requestId: 'r1',
  receivedAtMs: NOW_MS,
  durationMs: 12.4,
  method,
  target,
  rawHeaders: ['Accept', '*/*'],
  body: Buffer.alloc(0),
  match: createRouter(ALL_OPERATIONS)(method, target),
  response: { status: 200, headers: JSON_TYPE, body: '{}' },
  ...changes,
});

const log = (request: ServedRequest) => createRequestLog().add(request);

test('a request is logged whole, with the id of the cart that it created', () => {
  const text = JSON.stringify({ cart: { id: ID }, redirectUrl: 'http://127.0.0.1:3000/…' });
  const response = { status: 201, headers: JSON_TYPE, body: Buffer.from(text) };
  const body = Buffer.from('{"email":"ada@example.com"}');
  const target = '/api/v1/stores/cart/checkout?a=1';

  expect(log(served('POST', target, { response, body }))).toStrictEqual({
    id: 'r1',
    timeMs: NOW_MS,
    method: 'POST',
    target,
    headers: [['Accept', '*/*']],
    body: { text: body.toString(), bytes: body.length, isWhole: true, isText: true },
    status: 201,
    responseHeaders: JSON_TYPE,
    responseBody: { text, bytes: Buffer.byteLength(text), isWhole: true, isText: true },
    code: undefined,
    reason: undefined,
    cartId: ID,
    sender: 'program',
    durationMs: 12,
  });
});

test.each<[Sender, string, readonly string[]]>([
  ['program', `/api/v1/stores/cart/${ID}`, []],
  ['dashboard', `/api/v1/stores/cart/${ID}`, ['X-Sent-By', 'dashboard']],
  ['listen', `/api/v1/stores/cart/${ID}`, ['User-Agent', LISTEN_USER_AGENT]],
  ['browser', `/api/v1/stores/cart/${ID}`, ['Sec-Fetch-Site', 'same-origin']],
  ['buyer', `/sandbox/checkout/${ID}`, ['Sec-Fetch-Site', 'none']],
  ['program', `/internal/v1/carts/${ID}`, []],
])('a request is logged with its sender: %s on %s', (sender, path, rawHeaders) => {
  expect(log(served('GET', path, { rawHeaders }))).toMatchObject({ cartId: ID, sender });
});

test.each([
  [[{ path: 'redirectUrl', message: 'Unknown field' }], 'redirectUrl: Unknown field'],
  [[{ path: '', message: 'Not valid JSON' }], 'Not valid JSON'],
  [[], 'The payload format is invalid.'],
  [undefined, 'The payload format is invalid.'],
])('the reason of an error is its first detail, else its message: %j', (details, reason) => {
  const body = JSON.stringify({
    code: 'VALIDATION_ERROR',
    message: 'The payload format is invalid.',
    details,
  });
  const response = { status: 422, headers: JSON_TYPE, body };
  expect(log(served('POST', '/api', { response }))).toMatchObject({ code: 'VALIDATION_ERROR', reason });
});

test('an error is logged with the id of its cart', () => {
  const response = errorResponse(API_ERRORS.cartNotFound, 'request', 'http://127.0.0.1:3000');
  const { code, status } = API_ERRORS.cartNotFound;

  expect(log(served('GET', `/api/v1/stores/cart/${ID}`, { response }))).toMatchObject({
    status,
    code,
    cartId: ID,
  });
});

test('a page or a body that is not JSON has no code', () => {
  const html = {
    status: 404,
    headers: [...JSON_TYPE, ['content-type', 'text/html']] as const,
    body: '<!doctype html>',
  };
  expect(log(served('GET', `/sandbox/checkout/${ID}`, { response: html })).code).toBeUndefined();
  const broken = { status: 500, headers: JSON_TYPE, body: 'broken' };
  expect(log(served('GET', '/x', { response: broken })).code).toBeUndefined();
});

test('the log keeps the latest 500 requests alone, newest first', () => {
  const requests = createRequestLog();
  const count = LOGGED_REQUESTS_MAX + 5;
  for (let index = 0; index < count; index += 1)
    requests.add(served('GET', '/api', { receivedAtMs: NOW_MS + index }));

  expect(requests.list().map(({ timeMs }) => timeMs - NOW_MS)).toStrictEqual(
    Array.from({ length: LOGGED_REQUESTS_MAX }, (_, index) => count - 1 - index),
  );
});

test('the log keeps at most 10 MB, and 128 KB of a body', () => {
  const requests = createRequestLog();
  const body = Buffer.alloc(2 * BODY_BYTES_MAX, 'a');
  const keptMax = Math.floor(BYTES_MAX / (BODY_BYTES_MAX + 50));
  for (let count = 0; count < 2 * keptMax; count += 1) requests.add(served('POST', '/api', { body }));
  const kept = requests.list();
  expect(kept[0]?.body).toStrictEqual({
    text: 'a'.repeat(BODY_BYTES_MAX),
    bytes: body.length,
    isWhole: false,
    isText: true,
  });
  expect(kept.length).toBe(keptMax);
});

test('the ids of created carts stay when other requests fill the log', () => {
  const body = JSON.stringify({ cart: { id: ID } });
  const requests = createRequestLog();
  requests.add(
    served('POST', '/api/v1/stores/cart/checkout', { response: { status: 201, headers: JSON_TYPE, body } }),
  );
  for (let count = 0; count <= LOGGED_REQUESTS_MAX; count += 1) requests.add(served('GET', '/api'));
  expect(requests.list().map(({ cartId }) => cartId)).not.toContain(ID);
  expect(requests.cartIds()).toStrictEqual([ID]);
});
