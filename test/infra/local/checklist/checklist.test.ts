import { expect, test } from 'vitest';
import { ALL_OPERATIONS } from '../../../../functions/operations.ts';
import { LISTEN_USER_AGENT } from '../../../../infra/local-access/listen-user-agent.ts';
import { createChecklist, type Progress, type Step } from '../../../../infra/local/checklist/checklist.ts';
import type { ServedRequest } from '../../../../infra/local/gateway/gateway.ts';
import { createRouter } from '../../../../infra/local/gateway/router.ts';
import { NOW_MS } from '../../../support/clock.ts';

const CART = '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';
const OTHER = '00000000-0000-4000-8000-000000000002';
const HOST = '127.0.0.1:3000';
const SHOP = 'http://127.0.0.1:8081/return?order=1';
const BROWSER = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' };

interface Exchange {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestHeaders?: Readonly<Record<string, string>>;
}

const served = (method: string, path: string, exchange: Exchange = {}): ServedRequest => {
  const requestHeaders = { Host: HOST, 'User-Agent': 'curl/8.5.0 (x)', ...exchange.requestHeaders };
  return {
    requestId: CART,
    receivedAtMs: NOW_MS,
    durationMs: 5,
    method,
    target: path,
    rawHeaders: Object.entries(requestHeaders).flat(),
    body: Buffer.alloc(0),
    match: createRouter(ALL_OPERATIONS)(method, path),
    response: {
      status: exchange.status ?? 200,
      headers: Object.entries(exchange.headers ?? {}),
      body: JSON.stringify(exchange.body ?? {}),
    },
  };
};

const create = (exchange: Exchange = {}) =>
  served('POST', '/api/v1/stores/cart/checkout', { status: 201, body: { cart: { id: CART } }, ...exchange });

const retrieve = (status = 'waiting_payment', exchange: Exchange & { readonly cartId?: string } = {}) =>
  served('GET', `/api/v1/stores/cart/${exchange.cartId ?? CART}`, { body: { status }, ...exchange });

/** The payment page sends the buyer to an address. */
const pay = (location = SHOP, requestHeaders: Readonly<Record<string, string>> = BROWSER) =>
  served('POST', `/sandbox/checkout/${CART}`, {
    status: 303,
    headers: { Location: location },
    requestHeaders,
  });

const readFeed = (exchange: Exchange = {}) =>
  served('GET', '/api/v1/stores/events', { body: { events: [{ type: 'cart.completed' }] }, ...exchange });

const stepsAfter = (...requests: readonly ServedRequest[]): readonly string[] => {
  const checklist = createChecklist({}, () => undefined);
  for (const request of requests) checklist.observe(request);
  return Object.keys(checklist.progress());
};

const REPLAYED = { headers: { 'Idempotent-Replayed': 'true' } };

test.each<readonly [Step, readonly ServedRequest[]]>([
  ['created', [create()]],
  ['returned', [pay(), retrieve()]],
  ['declined', [retrieve('payment_failed'), retrieve('completed')]],
  ['replayed', [create(REPLAYED)]],
  ['read', [readFeed()]],
])('the stage sees that a program does a step: %s', (step, requests) => {
  expect(stepsAfter(...requests)).toContain(step);
});

test.each<readonly [string, readonly ServedRequest[]]>([
  ['a rejected cart', [create({ status: 422 })]],
  ['a retrieval before the return', [retrieve(), pay()]],
  ['a retrieval of another cart', [pay(), retrieve('completed', { cartId: OTHER })]],
  ['a retrieval that is rejected', [pay(), retrieve('', { status: 404 })]],
  ['a buyer who stays on the payment page', [pay(`./${CART}`), retrieve()]],
  ['a buyer who goes to a page of the stage', [pay(`http://${HOST}/carts/${CART}`), retrieve()]],
  ['a payment without a browser', [pay(SHOP, {}), retrieve()]],
  ['a decline that is not paid afterwards', [retrieve('completed'), retrieve('payment_failed')]],
  ['a success of another cart', [retrieve('payment_failed'), retrieve('completed', { cartId: OTHER })]],
  ['a decline that the program did not retrieve', [retrieve('completed')]],
  ['an empty feed', [readFeed({ body: { events: [] } })]],
  ['a feed without a cart', [readFeed({ body: { events: [{ type: 'webhook_endpoint.created' }] } })]],
  ['a rejected reader', [readFeed({ status: 401, body: {} })]],
])('without evidence, no step is done: %s', (_, requests) => {
  expect(stepsAfter(...requests)).toStrictEqual([]);
});

test.each([
  ['the dashboard', { requestHeaders: { 'X-Sent-By': 'dashboard' } }],
  ['a page in a browser', { requestHeaders: { 'sec-fetch-site': 'same-origin' } }],
  ['the command `listen`', { requestHeaders: { 'User-Agent': LISTEN_USER_AGENT } }],
])('requests of %s are none of a program', (_, from) => {
  const requests = [
    create({ ...REPLAYED, ...from }),
    pay(),
    retrieve('payment_failed', from),
    retrieve('completed', from),
    readFeed(from),
  ];
  expect(stepsAfter(...requests)).toStrictEqual([]);
});

test('a step keeps its first evidence, and is saved once', () => {
  const saved: Progress[] = [];
  const checklist = createChecklist({}, (progress) => saved.push(progress));
  checklist.observe(create());
  checklist.observe(create({ requestHeaders: { 'User-Agent': 'other' } }));
  checklist.verified('we_1', NOW_MS);
  checklist.verified('we_2', NOW_MS);
  const created = { atMs: NOW_MS, program: 'curl/8.5.0', cartId: CART };
  const verified = { atMs: NOW_MS, endpointId: 'we_1' };
  expect(saved).toStrictEqual([{ created }, { created, verified }]);
  expect(createChecklist({ created }, () => undefined).progress()).toStrictEqual({ created });
});
