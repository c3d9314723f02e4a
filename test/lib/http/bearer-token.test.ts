import { describe, expect, it } from 'vitest';
import { bearerToken } from '../../../lib/http/bearer-token.ts';

describe('a bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['bEaReR    abc', 'abc'],
    ['Bearer a-Z0._~+/==', 'a-Z0._~+/=='],
  ])('is read from %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'abc',
    'Basic abc',
    'Bearerabc',
    'Bearer\tabc',
    'Bearer\nabc',
    'Bearer abc\n',
    'Bearer a b',
    'Bearer abc, Bearer def',
    'Bearer "abc"',
    'Bearer =abc',
    'Bearer ab=c',
    'Bearer abcé',
    'Bearer abc\u0000',
  ])('is not read from %j', (header) => {
    expect(bearerToken(header)).toBeUndefined();
  });
});
