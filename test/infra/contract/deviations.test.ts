import { expect, test } from 'vitest';
import { createCartCheckout } from '../../../functions/create-cart-checkout/contract.ts';
import { listEvents } from '../../../functions/list-events/contract.ts';
import { API_ERRORS } from '../../../lib/http/errors.ts';
import { type ApiResponse, findDeviations } from '../../support/contract/contract.ts';

const CHECKOUT = '/api/v1/stores/cart/checkout';
const EVENTS = '/api/v1/stores/events';
const CART = '/api/v1/stores/cart/3f8dc76d-3e37-4cd4-8f8a-9eebedf66201';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-request-id': 'request-1',
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '59',
  'x-ratelimit-reset': '1795174438',
};

const CREATED = createCartCheckout.response.examples['created']?.value as {
  readonly cart: Record<string, unknown>;
  readonly redirectUrl: string;
};
const { createdAt: _, ...CART_WITHOUT_TIME } = CREATED.cart;

const { status: __, ...REJECTED } = API_ERRORS.invalidProduct;
const { status: ___, ...UNAUTHORIZED } = API_ERRORS.invalidApiKey;

const response = (
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string | undefined> = {},
): ApiResponse => ({
  status,
  headers: JSON.parse(JSON.stringify({ ...HEADERS, ...headers })) as Record<string, string>,
  body,
  bodyText: JSON.stringify(body),
});

const LINK = { link: '<https://api.example.com/errors#INVALID_PRODUCT>; rel="help"' };

const created = (changes: object, headers = {}) => response(201, { ...CREATED, ...changes }, headers);

test.each<[string, ApiResponse, RegExp]>([
  ['another status', response(200, CREATED), /undocumented status/],
  ['an undocumented field', created({ price: 1 }), /"price"/],
  ['a missing field', created({ cart: CART_WITHOUT_TIME }), /createdAt/],
  ['another format', created({ redirectUrl: 'checkout' }), /redirectUrl .*"uri"/],
  ['an undocumented header', created({}, { 'x-powered-by': 'x' }), /undocumented header x-powered-by/],
  ['a missing header', created({}, { 'x-ratelimit-reset': undefined }), /no header x-ratelimit-reset/],
  ['a malformed header', created({}, { 'x-ratelimit-limit': '6e1' }), /x-ratelimit-limit/],
  ['another content type', created({}, { 'content-type': 'text/html' }), /not application\/json/],
  ['the code of another status', response(400, { ...REJECTED, code: 'NOT_FOUND' }), /undocumented code/],
  ['another message', response(400, { ...REJECTED, message: 'No such product' }), /another message/],
  ['an error without the link to its page', response(400, REJECTED), /no header link/],
  ['a malformed link', response(400, REJECTED, { link: '/errors' }), /header link/],
  [
    'an error of a function without its headers',
    response(400, REJECTED, { 'x-ratelimit-limit': undefined }),
    /no header x-ratelimit-limit/,
  ],
  [
    'a 401 with rate-limit headers',
    response(401, UNAUTHORIZED, { 'www-authenticate': 'Bearer' }),
    /undocumented header x-ratelimit-limit/,
  ],
])('a deviation is found: %s', (_deviation, deviating, words) => {
  expect(findDeviations('POST', CHECKOUT, deviating).join('; ')).toMatch(words);
});

test.each([
  ['of an unknown type', { type: 'cart.later' }],
  ['without a field of its type', { data: {} }],
])('a deviation is found: an event %s', (_deviation, changes) => {
  const { value } = listEvents.response.examples['completed'] as { value: { events: [object] } };
  const page = { ...value, events: value.events.map((event) => ({ ...event, ...changes })) };

  expect(findDeviations('GET', EVENTS, response(200, value))).toStrictEqual([]);
  expect(findDeviations('GET', EVENTS, response(200, page)).join('; ')).toMatch('/events/0');
});

test('a response that keeps the contract has no deviation', () => {
  expect(findDeviations('POST', CHECKOUT, response(201, CREATED))).toStrictEqual([]);
  expect(findDeviations('POST', CHECKOUT, response(400, REJECTED, LINK))).toStrictEqual([]);
});

test.each([
  ['GET', CHECKOUT],
  ['PUT', CART],
  ['GET', `${CART}/more`],
  ['GET', '/'],
])('%s %s is not an operation: the contract does not describe it', (method, path) => {
  const { status, ...body } = API_ERRORS.routeNotFound;

  expect(findDeviations(method, path, response(status, body))).toStrictEqual([]);
});
