import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiResponse, cartBody, cartPath, CHECKOUT, inputs, send } from './support/client.ts';
import { expectJson, expectSameBytes } from './support/expectations.ts';

/** The gateway answers by itself: neither a request id nor the text is promised. */
const expectNoRoute = (answer: ApiResponse): void => {
  expectJson(answer, 404);
  expect(answer.body).toStrictEqual({ code: 'NOT_FOUND', message: expect.stringMatching(/./) });
};

const NO_ROUTES = [
  ['GET', '/'],
  ['GET', '/api/v1'],
  ['GET', '/api/v1/stores/cart'],
  ['GET', CHECKOUT],
  ['PUT', CHECKOUT],
  ['DELETE', CHECKOUT],
  ['OPTIONS', CHECKOUT],
  ['POST', `${CHECKOUT}/more`],
  ['POST', '/api/v2/stores/cart/checkout'],
  ['POST', cartPath(randomUUID())],
  ['PATCH', cartPath(randomUUID())],
  ['DELETE', cartPath(randomUUID())],
  ['OPTIONS', cartPath(randomUUID())],
  ['GET', `${cartPath(randomUUID())}/more`],
] as const;

describe.each(NO_ROUTES)('%s %s is no route: 404', (method, path) => {
  it('without a key', async () => {
    expectNoRoute(await send(method, path));
  });

  it('with a key', async () => {
    expectNoRoute(await send(method, path, { Authorization: `Bearer ${inputs.apiKey}` }));
  });
});

describe('no route', () => {
  it('is answered in JSON to other content types too', async () => {
    const headers = { 'Content-Type': 'text/plain', Accept: 'text/html' };

    expectNoRoute(await send('POST', '/api/v1/nothing', headers, 'text'));
    expectNoRoute(await send('PUT', CHECKOUT, headers, 'text'));
  });

  it('is answered in the same bytes whatever is asked for', async () => {
    const body = JSON.stringify(cartBody());
    const headers = { Authorization: `Bearer ${inputs.apiKey}`, 'Content-Type': 'application/json' };

    expectSameBytes([
      await send('GET', '/'),
      await send('PUT', CHECKOUT, headers, body),
      await send('POST', '/api/v2/stores/cart/checkout', headers, body),
    ]);
  });

  it('is what a browser is told that asks before it sends a key', async () => {
    const headers = {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    };

    expectNoRoute(await send('OPTIONS', CHECKOUT, headers));
  });
});
