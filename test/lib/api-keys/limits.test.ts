import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, rejectLimits } from '../../../lib/api-keys/limits.ts';

describe('limits', () => {
  it('are 60 requests in 60 seconds by default', () => {
    expect(DEFAULT_LIMITS).toStrictEqual({ limit: 60, windowSeconds: 60 });
  });

  it.each([
    [1, 1],
    [1, 2_592_000],
    [60, 60],
    [1_000, 1],
    [60_000, 60],
    [2_592_000_000, 2_592_000],
  ])('may be %i in %i s', (limit, windowSeconds) => {
    expect(rejectLimits({ limit, windowSeconds })).toBeUndefined();
  });

  it.each([
    [0, 60, 'The limit'],
    [-1, 60, 'The limit'],
    [1.5, 60, 'The limit'],
    [Number.NaN, 60, 'The limit'],
    [Number.POSITIVE_INFINITY, 60, 'The limit'],
    [60, 0, 'The window'],
    [60, -1, 'The window'],
    [60, 0.5, 'The window'],
    [60, Number.NaN, 'The window'],
    [60, 2_592_001, 'The window'],
    [1_001, 1, '1000 requests a second'],
    [60_001, 60, '1000 requests a second'],
  ])('may not be %f in %f s, and the %s is named', (limit, windowSeconds, named) => {
    expect(rejectLimits({ limit, windowSeconds })).toContain(named);
  });
});
