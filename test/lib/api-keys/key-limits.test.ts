import { expect, it } from 'vitest';
import { DEFAULT_LIMITS, limitsIssue } from '../../../lib/api-keys/key-limits.ts';

it('the default limits are 600 requests in 60 seconds', () => {
  expect(DEFAULT_LIMITS).toStrictEqual({ limit: 600, windowSeconds: 60 });
});

it.each([
  ...[1, 2_592_000_000].map((limit) => [limit, 2_592_000]),
  ...[1, 1_000].map((limit) => [limit, 1]),
  ...[60, 60_000].map((limit) => [limit, 60]),
])('limits may be %i in %i s', (limit = 0, windowSeconds = 0) => {
  expect(limitsIssue({ limit, windowSeconds })).toBeUndefined();
});

it.each<[string, limit: number, windowSeconds: number]>([
  ...[0, -1, 1.5, NaN, Infinity].map((limit): [string, number, number] => ['The limit', limit, 60]),
  ...[0, -1, 0.5, NaN, 2_592_001].map((window): [string, number, number] => ['The window', 60, window]),
  ['1000 requests a second', 1_001, 1],
  ['1000 requests a second', 60_001, 60],
])('%s is named if the limits are %f in %f s', (name, limit, windowSeconds) => {
  expect(limitsIssue({ limit, windowSeconds })).toContain(name);
});

it('a key may have as many requests at once as its stage serves, and no more', () => {
  const max = { requestsPerSecond: 100, requestsAtOnce: 500 };
  expect(limitsIssue({ limit: 500, windowSeconds: 60 }, max)).toBeUndefined();
  expect(limitsIssue({ limit: 501, windowSeconds: 60 }, max)).toContain('500 requests at once');
});
