import { describe, expect, it } from 'vitest';
import {
  type BucketLimits,
  burstToleranceMicros,
  describeBucket,
  emissionIntervalMicros,
  hasToken,
  takeToken,
} from '../../../lib/api-keys/token-bucket.ts';

const NOW_MICROS = 1_768_480_200_250_000;

/** Takes as many tokens as there are at one moment: the TAT after each. */
const drain = (limits: BucketLimits, startMicros = 0, nowMicros = NOW_MICROS): number[] => {
  const tats: number[] = [];
  let tat = takeToken({ ...limits, tatMicros: startMicros }, nowMicros);
  while (tat !== undefined && tats.length < 100_000) {
    tats.push(tat);
    tat = takeToken({ ...limits, tatMicros: tat }, nowMicros);
  }
  return tats;
};

describe('a token', () => {
  it.each([
    [{ limit: 60, windowSeconds: 60 }, 1_000_000, 59_000_000],
    [{ limit: 1, windowSeconds: 1 }, 1_000_000, 0],
    [{ limit: 1_000, windowSeconds: 1 }, 1_000, 999_000],
    [{ limit: 7, windowSeconds: 60 }, 8_571_429, 51_428_574],
    [{ limit: 3, windowSeconds: 1 }, 333_334, 666_668],
    [{ limit: 1, windowSeconds: 2_592_000 }, 2_592_000_000_000, 0],
  ])('comes back after the window shared among all, rounded up: %o', (limits, interval, tolerance) => {
    expect(emissionIntervalMicros(limits)).toBe(interval);
    expect(burstToleranceMicros(limits)).toBe(tolerance);
  });
});

describe('a bucket of limit n', () => {
  it.each([
    { limit: 1, windowSeconds: 1 },
    { limit: 7, windowSeconds: 60 },
    { limit: 60, windowSeconds: 60 },
    { limit: 1_000, windowSeconds: 1 },
    { limit: 999, windowSeconds: 7 },
  ])('admits exactly n requests at one moment, new or full: %o', (limits) => {
    expect(drain(limits)).toHaveLength(limits.limit);
    expect(drain(limits, NOW_MICROS)).toHaveLength(limits.limit);
    expect(drain(limits, NOW_MICROS - 1)).toHaveLength(limits.limit);
  });

  it('admits one fewer while its last token is a microsecond away', () => {
    expect(drain({ limit: 7, windowSeconds: 60 }, NOW_MICROS + 1)).toHaveLength(6);
  });

  it('has the next token one interval after it was emptied, and not a microsecond before', () => {
    const limits = { limit: 7, windowSeconds: 60 };
    const emptied = drain(limits).at(-1) ?? 0;
    expect(hasToken({ ...limits, tatMicros: emptied }, NOW_MICROS + 8_571_428)).toBe(false);
    expect(takeToken({ ...limits, tatMicros: emptied }, NOW_MICROS + 8_571_428)).toBeUndefined();
    expect(hasToken({ ...limits, tatMicros: emptied }, NOW_MICROS + 8_571_429)).toBe(true);
    expect(takeToken({ ...limits, tatMicros: emptied }, NOW_MICROS + 8_571_429)).toBe(emptied + 8_571_429);
  });

  it('never holds more than n, however long nobody came', () => {
    expect(drain({ limit: 7, windowSeconds: 60 }, NOW_MICROS - 365 * 86_400_000_000)).toHaveLength(7);
  });
});

describe('what is told of a bucket', () => {
  const limits = { limit: 4, windowSeconds: 60 };

  it('counts down from n - 1 to 0, with the reset moving one interval at each token', () => {
    const told = drain(limits).map((tat) => describeBucket({ ...limits, tatMicros: tat }, NOW_MICROS));
    expect(told).toStrictEqual([
      { limit: 4, remaining: 3, resetAtSeconds: 1_768_480_216, retryAfterSeconds: 0 },
      { limit: 4, remaining: 2, resetAtSeconds: 1_768_480_231, retryAfterSeconds: 0 },
      { limit: 4, remaining: 1, resetAtSeconds: 1_768_480_246, retryAfterSeconds: 0 },
      { limit: 4, remaining: 0, resetAtSeconds: 1_768_480_261, retryAfterSeconds: 15 },
    ]);
  });

  it('counts whole tokens alone', () => {
    const emptied = NOW_MICROS + 60_000_000;
    const remainingAfter = (micros: number) =>
      describeBucket({ ...limits, tatMicros: emptied }, NOW_MICROS + micros).remaining;
    expect(
      [14_999_999, 15_000_000, 29_999_999, 30_000_000, 60_000_000, 90_000_000].map(remainingAfter),
    ).toStrictEqual([0, 1, 1, 2, 4, 4]);
  });

  it('resets a full bucket now', () => {
    expect(describeBucket({ ...limits, tatMicros: 0 }, NOW_MICROS).resetAtSeconds).toBe(1_768_480_201);
    expect(describeBucket({ ...limits, tatMicros: 0 }, 1_768_480_200_000_000).resetAtSeconds).toBe(
      1_768_480_200,
    );
  });

  it('asks for a wait of at least one second where the token is a microsecond away', () => {
    const told = describeBucket({ ...limits, tatMicros: NOW_MICROS + 45_000_001 }, NOW_MICROS);
    expect(told).toMatchObject({ remaining: 0, retryAfterSeconds: 1 });
  });

  it('asks for the whole wait where the limit was lowered under a full debt', () => {
    const lowered = { limit: 1, windowSeconds: 60 };
    const told = describeBucket({ ...lowered, tatMicros: NOW_MICROS + 600_000_000 }, NOW_MICROS);
    expect(told).toMatchObject({ limit: 1, remaining: 0, retryAfterSeconds: 600 });
  });
});
