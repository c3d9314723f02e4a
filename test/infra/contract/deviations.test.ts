import { describe, expect, test } from 'vitest';
import { type ApiResponse, findDeviations } from '../../support/contract.ts';

const CHECKOUT = '/api/v1/stores/cart/checkout';
const CART = '/api/v1/stores/cart/3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-request-id': 'request-1',
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '59',
  'x-ratelimit-reset': '1795174438',
};

const CREATED = {
  cart: {
    id: '3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
    createdAt: '2026-11-20T11:33:57.194Z',
    updatedAt: '2026-11-20T11:33:57.194Z',
    status: 'waiting_payment',
    customerInfo: { firstName: 'Ada' },
  },
  redirectUrl: 'https://checkout.example.com/3f8dc76d-3e37-4cd4-8f8a-9eebedf66201',
};

const REJECTED = {
  code: 'INVALID_PRODUCT',
  message: 'The product is not available or does not belong to this store',
};

const answer = (
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string | undefined> = {},
): ApiResponse => ({
  status,
  headers: JSON.parse(JSON.stringify({ ...HEADERS, ...headers })) as Record<string, string>,
  body,
  bodyText: JSON.stringify(body),
});

const { createdAt: _, ...withoutTime } = CREATED.cart;

describe('a deviation is found', () => {
  test.each<[string, ApiResponse, RegExp]>([
    ['another status', answer(200, CREATED), /undocumented status/],
    ['an undocumented field', answer(201, { ...CREATED, price: 1 }), /"price"/],
    [
      'an undocumented field further down',
      answer(201, { ...CREATED, cart: { ...CREATED.cart, storeId: 'x' } }),
      /\/cart .*"storeId"/,
    ],
    ['a missing field', answer(201, { ...CREATED, cart: withoutTime }), /createdAt/],
    ['another type', answer(201, { ...CREATED, redirectUrl: 1 }), /redirectUrl must be string/],
    ['another format', answer(201, { ...CREATED, redirectUrl: 'checkout' }), /redirectUrl .*"uri"/],
    [
      'a value that the document does not list',
      answer(201, { ...CREATED, cart: { ...CREATED.cart, status: 'paid' } }),
      /status must be equal to one of/,
    ],
    [
      'an undocumented header',
      answer(201, CREATED, { 'x-powered-by': 'x' }),
      /undocumented header x-powered-by/,
    ],
    [
      'a missing header',
      answer(201, CREATED, { 'x-ratelimit-reset': undefined }),
      /no header x-ratelimit-reset/,
    ],
    ['a malformed header', answer(201, CREATED, { 'x-ratelimit-limit': '6e1' }), /x-ratelimit-limit/],
    ['another content type', answer(201, CREATED, { 'content-type': 'text/html' }), /not application\/json/],
    ['another code', answer(400, { ...REJECTED, code: 'NO_PRODUCT' }), /code must be equal to one of/],
    ['another message', answer(400, { ...REJECTED, message: 'No such product' }), /another message/],
    [
      "a service's error without the headers of one",
      answer(400, REJECTED, { 'x-ratelimit-limit': undefined }),
      /no header x-ratelimit-limit/,
    ],
    [
      'a 401 that tells of rate limits',
      answer(
        401,
        { code: 'INVALID_API_KEY', message: 'Invalid or missing API key' },
        { 'www-authenticate': 'Bearer' },
      ),
      /undocumented header x-ratelimit-limit/,
    ],
  ])('%s', (_what, deviating, words) => {
    expect(findDeviations('POST', CHECKOUT, deviating).join('; ')).toMatch(words);
  });
});

test('nothing is found where there is none', () => {
  expect(findDeviations('POST', CHECKOUT, answer(201, CREATED))).toStrictEqual([]);
  expect(findDeviations('POST', CHECKOUT, answer(400, REJECTED))).toStrictEqual([]);
});

test('of addresses that are no operation, the contract says nothing', () => {
  const notFound = answer(404, { code: 'NOT_FOUND', message: 'The requested route does not exist' });

  for (const [method, path] of [
    ['GET', CHECKOUT],
    ['PUT', CART],
    ['GET', `${CART}/more`],
    ['GET', '/'],
  ] as const) {
    expect(findDeviations(method, path, notFound)).toStrictEqual([]);
  }
});
