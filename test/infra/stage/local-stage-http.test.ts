import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

const CHECKOUT = '/api/v1/stores/cart/checkout';

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage(['--data', 'memory', '--checkout-url', 'https://pay.example.test/checkout/']);
});

afterAll(stopProcesses);

describe('where the buyer pays', () => {
  test('for a live key, it is the cart under --checkout-url', async () => {
    const apiKey = await stage.givenKey({ mode: 'live' });

    const created = await stage.createCart(cartBody(stage.productId), { apiKey });

    expect(created.body['redirectUrl']).toBe(`https://pay.example.test/checkout/${cartIdOf(created)}`);
  });

  test("for a test key, it is the cart under the stage's own sandbox", async () => {
    const apiKey = await stage.givenKey({ mode: 'test' });

    const created = await stage.createCart(cartBody(stage.productId), { apiKey });

    expect(created.body['redirectUrl']).toBe(`${stage.baseUrl}/sandbox/checkout/${cartIdOf(created)}`);
  });
});

const CASINGS: [string, (name: string) => string][] = [
  ['lower case', (name) => name.toLowerCase()],
  ['upper case', (name) => name.toUpperCase()],
  ['usual case', (name) => name],
  [
    'no case at all',
    (name) => name.replace(/(.)(.?)/g, (_pair, a: string, b: string) => a.toLowerCase() + b.toUpperCase()),
  ],
];

describe.each(CASINGS)('header names in %s', (_what, inCase) => {
  const headers = (plain: OutgoingHttpHeaders): OutgoingHttpHeaders =>
    Object.fromEntries(Object.entries(plain).map(([name, value]) => [inCase(name), value]));

  test('are understood when a cart is created', async () => {
    const apiKey = await stage.givenKey();
    const sent = headers({
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json; charset=utf-8',
      'Idempotency-Key': 'order-1',
      'Accept-Language': 'de-AT',
    });

    const created = await stage.send('POST', CHECKOUT, sent, cartBody(stage.productId));
    const replayed = await stage.send('POST', CHECKOUT, sent, cartBody(stage.productId));

    expect(created).toMatchObject({ status: 201, body: { cart: { customerInfo: { lang: 'de-AT' } } } });
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.bodyText).toBe(created.bodyText);
  });

  test('are understood when a cart is retrieved', async () => {
    const apiKey = await stage.givenKey();
    const cartId = cartIdOf(await stage.createCart(cartBody(stage.productId), { apiKey }));

    const path = `/api/v1/stores/cart/${cartId}`;
    expect((await stage.send('GET', path, headers({ Authorization: `Bearer ${apiKey}` }))).status).toBe(200);
  });
});

test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s is understood', async (scheme) => {
  const apiKey = await stage.givenKey();

  const answer = await stage.getCart(randomUUID(), { headers: { Authorization: `${scheme} ${apiKey}` } });

  expect(answer.status).toBe(404);
});

test.each([
  ['GET', '/'],
  ['GET', '/api/v1'],
  ['GET', CHECKOUT],
  ['PUT', CHECKOUT],
  ['POST', `/api/v1/stores/cart/${randomUUID()}`],
  ['DELETE', `/api/v1/stores/cart/${randomUUID()}`],
  ['POST', '/api/v2/stores/cart/checkout'],
  ['OPTIONS', CHECKOUT],
])('%s %s is no route, which is told as every other error is', async (method, path) => {
  const { status, code, message } = API_ERRORS.routeNotFound;

  const answer = await stage.send(method, path, { Authorization: `Bearer ${await stage.givenKey()}` });

  expect(answer).toMatchObject({ status, body: { code, message } });
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});
