import { expect, it } from 'vitest';
import { bearerToken } from '../../../lib/http/request-key.ts';

it.each(['Bearer abc', 'bearer abc', 'BEARER abc', 'bEaReR    abc'])('%j has a bearer token', (header) => {
  expect(bearerToken(header)).toBe('abc');
});

it('a bearer token may hold every character of RFC 6750', () => {
  expect(bearerToken('Bearer a-Z0._~+/==')).toBe('a-Z0._~+/==');
});

const MALFORMED =
  'Bearer|Bearer |abc|Basic abc|Bearerabc|xBearer abc|Bearer\tabc|Bearer\nabc|Bearer abc\n|Bearer a b|' +
  'Bearer abc, Bearer def|Bearer "abc"|Bearer =abc|Bearer ab=c|Bearer abcé|Bearer abc\u0000';

it.each([undefined, '', ...MALFORMED.split('|')])('%j has no bearer token', (header) => {
  expect(bearerToken(header)).toBeUndefined();
});
