import { expect, test } from 'vitest';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { errorResponse } from '../../../../infra/local/gateway/response.ts';
import { createRouter } from '../../../../infra/local/gateway/routes.ts';
import { createRequestLog } from '../../../../infra/local/gateway/request-log.ts';
import { ROUTES } from '../../../../functions/operations.ts';
import { API_ERRORS } from '../../../../lib/http/errors.ts';
import { NOW_MS } from '../../../support/clock.ts';

const ID = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
const TEST_KEY = 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpw';
const JSON_TYPE = [['Content-Type', 'application/json']] as const;

const served = (method: string, path: string, changes: Partial<ServedRequest> = {}): ServedRequest => ({
  receivedAtMs: NOW_MS,
  durationMs: 12.4,
  method,
  path,
  isFromDashboard: false,
  requestHeaders: {},
  match: createRouter(ROUTES)(method, path),
  response: { status: 200, headers: JSON_TYPE, body: '{}' },
  ...changes,
});

const log = (request: ServedRequest) => createRequestLog().add(request);

test('a created cart is logged with its id, as one that no page sent', () => {
  const body = Buffer.from(JSON.stringify({ cart: { id: ID }, redirectUrl: 'http://127.0.0.1:3000/…' }));
  const response = { status: 201, headers: JSON_TYPE, body };

  expect(log(served('POST', '/api/v1/stores/cart/checkout', { response }))).toStrictEqual({
    timeMs: NOW_MS,
    method: 'POST',
    path: '/api/v1/stores/cart/checkout',
    status: 201,
    code: undefined,
    cartId: ID,
    isFromPage: false,
    durationMs: 12,
  });
});

test.each<[string, string, Partial<ServedRequest>, boolean]>([
  ['a program', `/api/v1/stores/cart/${ID}`, {}, false],
  ['the dashboard', `/api/v1/stores/cart/${ID}`, { isFromDashboard: true }, true],
  ['the payment page', `/sandbox/checkout/${ID}`, {}, true],
  ['the payment side', `/internal/v1/carts/${ID}`, {}, false],
])('a request by %s is logged as that of a page, or not', (_who, path, changes, isFromPage) => {
  expect(log(served('GET', path, changes))).toMatchObject({ cartId: ID, isFromPage });
});

test('an error is logged with its code, and the id of its cart', () => {
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

test.each([
  ['GET', `/api/v1/stores/cart/${ID.toUpperCase()}`, '/api/v1/stores/cart/{cartId}'],
  ['GET', '/api/v1/stores/cart/undefined', '/api/v1/stores/cart/undefined'],
  ['GET', '/api/v1/store/cart/checkout', '/api/v1/…/cart/checkout'],
  ['GET', '/api/v1/stores/cart/ada@example.com', '/api/v1/stores/cart/…'],
  ['GET', `/api/v1/stores/cart/${TEST_KEY}`, '/api/v1/stores/cart/…'],
  ['GET', '/Ada/Lovelace/%2B33612345678', '/…/…/…'],
  ['GET', '*', '/'],
  ['GET', '/a'.repeat(20), '/…'.repeat(9)],
])('%s of a path shows neither a key nor personal data: %s', (method, path, shown) => {
  expect(log(served(method, path)).path).toBe(shown);
});

test('an invented method is not shown', () => {
  expect(log(served('ADA-LOVELACE', '/api')).method).toBe('…');
});

test('the log keeps the latest 100 requests alone, newest first', () => {
  const requests = createRequestLog();
  const count = 105;
  for (let index = 0; index < count; index += 1)
    requests.add(served('GET', '/api', { receivedAtMs: NOW_MS + index }));

  expect(requests.list().map(({ timeMs }) => timeMs - NOW_MS)).toStrictEqual(
    Array.from({ length: 100 }, (_, index) => count - 1 - index),
  );
});

test('the ids of created carts stay when other requests fill the log', () => {
  const body = JSON.stringify({ cart: { id: ID } });
  const requests = createRequestLog();
  requests.add(
    served('POST', '/api/v1/stores/cart/checkout', { response: { status: 201, headers: JSON_TYPE, body } }),
  );
  for (let count = 0; count < 101; count += 1) requests.add(served('GET', '/api'));
  expect(requests.list().map(({ cartId }) => cartId)).not.toContain(ID);
  expect(requests.cartIds()).toStrictEqual([ID]);
});
