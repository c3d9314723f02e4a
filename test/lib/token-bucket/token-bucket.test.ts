import { describe, expect, it } from 'vitest';
import {
  type BucketLimits,
  burstToleranceMicros,
  rateLimitAt,
  emissionIntervalMicros,
} from '../../../lib/token-bucket/token-bucket.ts';
import { NOW_MS } from '../../support/clock.ts';
import { takeToken } from '../../support/domain/bucket.ts';

const NOW_MICROS = NOW_MS * 1_000;
const RESET_SECONDS = Math.floor(NOW_MS / 1_000);

/** Takes all tokens that a bucket has now: the TAT after each. */
const drain = (limits: BucketLimits, startMicros = 0): number[] => {
  const tats: number[] = [];
  let tat = takeToken({ ...limits, tatMicros: startMicros }, NOW_MS);
  while (tat !== undefined && tats.length < 100_000) {
    tats.push(tat);
    tat = takeToken({ ...limits, tatMicros: tat }, NOW_MS);
  }
  return tats;
};

describe('a bucket', () => {
  it.each([
    [{ limit: 60, windowSeconds: 60 }, 1_000_000, 59_000_000],
    [{ limit: 1, windowSeconds: 1 }, 1_000_000, 0],
    [{ limit: 1_000, windowSeconds: 1 }, 1_000, 999_000],
    [{ limit: 7, windowSeconds: 60 }, 8_571_429, 51_428_574],
    [{ limit: 3, windowSeconds: 1 }, 333_334, 666_668],
    [{ limit: 1, windowSeconds: 2_592_000 }, 2_592_000_000_000, 0],
  ])('divides its window by its limit, rounded up to a microsecond: %o', (limits, interval, tolerance) => {
    expect(emissionIntervalMicros(limits)).toBe(interval);
    expect(burstToleranceMicros(limits)).toBe(tolerance);
    expect(drain(limits, NOW_MICROS)).toHaveLength(limits.limit);
  });

  it('lacks one token until the last microsecond of its interval is over', () => {
    expect(drain({ limit: 7, windowSeconds: 60 }, NOW_MICROS + 1)).toHaveLength(6);
  });
});

describe('the reported rate limit', () => {
  const limits = { limit: 4, windowSeconds: 60 };

  it('counts down from limit - 1 to 0, and the reset moves one interval at each token', () => {
    const reported = drain(limits).map((tat) => rateLimitAt({ ...limits, tatMicros: tat }, NOW_MS));
    expect(reported).toStrictEqual([
      { limit: 4, remaining: 3, resetAtSeconds: RESET_SECONDS + 16, retryAfterSeconds: 0 },
      { limit: 4, remaining: 2, resetAtSeconds: RESET_SECONDS + 31, retryAfterSeconds: 0 },
      { limit: 4, remaining: 1, resetAtSeconds: RESET_SECONDS + 46, retryAfterSeconds: 0 },
      { limit: 4, remaining: 0, resetAtSeconds: RESET_SECONDS + 61, retryAfterSeconds: 15 },
    ]);
  });

  it('resets a full bucket now', () => {
    const full = { ...limits, tatMicros: 0 };
    expect(rateLimitAt(full, NOW_MS).resetAtSeconds).toBe(RESET_SECONDS + 1);
    expect(rateLimitAt(full, RESET_SECONDS * 1_000).resetAtSeconds).toBe(RESET_SECONDS);
  });

  it.each<[aheadMicros: number, waitSeconds: number, resetSeconds: number]>([
    [45_000_001, 1, 46],
    [60_000_000, 15, 61],
    // The last time that a writer whose clock is right can leave.
    [65_000_000, 20, 66],
    // A poisoned bucket counts as just emptied.
    [65_000_001, 15, 61],
    [86_400_000_000, 15, 61],
  ])('of a bucket that is full again in %i µs waits %i s', (aheadMicros, waitSeconds, resetSeconds) => {
    expect(rateLimitAt({ ...limits, tatMicros: NOW_MICROS + aheadMicros }, NOW_MS)).toStrictEqual({
      limit: 4,
      remaining: 0,
      resetAtSeconds: RESET_SECONDS + resetSeconds,
      retryAfterSeconds: waitSeconds,
    });
  });
});
