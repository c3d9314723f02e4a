import { expect, test } from 'vitest';
import { createRouter, type Route } from '../../../../infra/local/gateway/router.ts';

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/carts/{cartId}', functionName: 'get', caller: 'merchant' },
  { method: 'POST', path: '/carts/checkout', functionName: 'create', caller: 'merchant' },
  { method: 'GET', path: '/{group}/checkout', functionName: 'group', caller: 'merchant' },
];

test.each([
  ['a static segment goes before a parameter', 'POST', '/carts/checkout', 'create'],
  ['a parameter matches where no static segment does', 'GET', '/orders/checkout', 'group'],
  ['the path is chosen before the method', 'GET', '/carts/checkout', undefined],
])('%s, in any order of the table', (_what, method, path, functionName) => {
  for (const routes of [ROUTES, ROUTES.toReversed()]) {
    expect(createRouter(routes)(method, path)?.route.functionName).toBe(functionName);
  }
});

test.each(['/carts', '/carts/', '/carts/1/', '//carts/1', '/Carts/1', 'carts/1', '', '*'])(
  'the path "%s" has no route',
  (path) => {
    expect(createRouter(ROUTES)('GET', path)).toBeUndefined();
  },
);

test.each([
  ['a%20b', 'a b'],
  ['a%2Fb', 'a/b'],
  ['%C3%A9', 'é'],
  ['a+b', 'a+b'],
  ['__proto__', '__proto__'],
  // No percent-encoding.
  ['%zz', '%zz'],
  ['%ff', '%ff'],
])('the path parameter %s is decoded to "%s"', (encoded, decoded) => {
  const match = createRouter(ROUTES)('GET', `/carts/${encoded}`);

  expect(match?.pathParameters).toEqual(new Map([['cartId', decoded]]));
});
