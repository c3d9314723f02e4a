import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiResponse, cartBody, cartPath, CHECKOUT, inputs, send } from './support/client.ts';
import { expectHelpLink, expectJson, expectSameBytes, REJECTIONS } from './support/expectations.ts';

const authorization = { Authorization: `Bearer ${inputs.apiKey}` };

/** The gateway responds by itself: the contract fixes neither a request id nor the messages. */
const expectNoRoute = (response: ApiResponse): void => {
  expectJson(response, 404);
  expect(response.body).toStrictEqual({
    code: 'NOT_FOUND',
    message: expect.stringMatching(/./),
    details: [{ path: 'path', message: expect.stringContaining(`POST ${CHECKOUT}`) }],
  });
  expectHelpLink(response);
};

it('GET /errors is a page with a part for each code, without a key', async () => {
  const response = await fetch(`${inputs.baseUrl}/errors`);
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const { code } of Object.values(REJECTIONS)) expect(page).toContain(`id="${code}"`);
});

describe('404 NOT_FOUND', () => {
  it.each([
    ['GET', '/api'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/stores/cart'],
    ['GET', CHECKOUT],
    ['PUT', CHECKOUT],
    ['DELETE', CHECKOUT],
    ['OPTIONS', CHECKOUT],
    ['POST', `${CHECKOUT}/more`],
    ['POST', '/api/v1/carts'],
    ['POST', `/api/v1${CHECKOUT}`],
    ['POST', '/api/v2/stores/cart/checkout'],
    ['POST', cartPath(randomUUID())],
    ['PATCH', cartPath(randomUUID())],
    ['DELETE', cartPath(randomUUID())],
    ['OPTIONS', cartPath(randomUUID())],
    ['GET', `${cartPath(randomUUID())}/more`],
  ])('is the response to %s %s, with and without a key', async (method, path) => {
    expectNoRoute(await send(method, path));
    expectNoRoute(await send(method, path, authorization));
  });

  it('is JSON for other content types too', async () => {
    const headers = { 'Content-Type': 'text/plain', Accept: 'text/html' };
    expectNoRoute(await send('POST', '/api/v1/nothing', headers, 'text'));
    expectNoRoute(await send('PUT', CHECKOUT, headers, 'text'));
  });

  it('is the same bytes for every request', async () => {
    const headers = { ...authorization, 'Content-Type': 'application/json' };
    const body = JSON.stringify(cartBody());
    expectSameBytes([
      await send('GET', '/api'),
      await send('PUT', CHECKOUT, headers, body),
      await send('POST', '/api/v2/stores/cart/checkout', headers, body),
    ]);
  });

  it("is the response to a browser's preflight request", async () => {
    const headers = {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    };
    expectNoRoute(await send('OPTIONS', CHECKOUT, headers));
  });
});
