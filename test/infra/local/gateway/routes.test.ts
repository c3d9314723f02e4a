import { describe, expect, test } from 'vitest';
import { matchRoute } from '../../../../infra/local/gateway/routes.ts';
import type { Route } from '../../../../infra/local/gateway/routes.ts';

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/carts/{cartId}', functionName: 'get' },
  { method: 'POST', path: '/carts/checkout', functionName: 'create' },
  { method: 'GET', path: '/{group}/checkout', functionName: 'group' },
];

const match = (method: string, path: string) => matchRoute(ROUTES, method, path);

describe('a route', () => {
  test('with a static segment goes before one with a parameter, in any order of the table', () => {
    expect(match('POST', '/carts/checkout')).toMatchObject({ route: { functionName: 'create' } });
    expect(matchRoute(ROUTES.toReversed(), 'POST', '/carts/checkout')).toMatchObject({
      route: { functionName: 'create' },
    });
  });

  test('is chosen by its path before its method', () => {
    expect(match('GET', '/carts/checkout')).toEqual({ kind: 'notFound' });
  });

  test('takes a parameter where no static segment fits', () => {
    expect(match('GET', '/orders/checkout')).toMatchObject({ route: { functionName: 'group' } });
  });

  test.each(['/carts', '/carts/', '/carts/1/', '//carts/1', '/Carts/1', 'carts/1', '', '*'])(
    'does not take the path "%s"',
    (path) => {
      expect(match('GET', path)).toEqual({ kind: 'notFound' });
    },
  );
});

describe('a path parameter', () => {
  test.each([
    ['a%20b', 'a b'],
    ['a%2Fb', 'a/b'],
    ['%C3%A9', 'é'],
    ['a+b', 'a+b'],
    ['__proto__', '__proto__'],
  ])('%s is decoded to "%s"', (encoded, decoded) => {
    expect(match('GET', `/carts/${encoded}`)).toMatchObject({
      pathParameters: new Map([['cartId', decoded]]),
    });
  });

  test.each(['%', '%zz', '%ff', '%ED%A0%80'])('%s is no percent-encoding, and stays as it is', (segment) => {
    expect(match('GET', `/carts/${segment}`)).toMatchObject({
      pathParameters: new Map([['cartId', segment]]),
    });
  });
});
