import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contendedDelaySeconds,
  failedDelaySeconds,
  nextDelayMs,
} from '../../../../lib/deliveries/sending/schedule.ts';

const HOUR_MS = 3_600_000;

describe('the schedule of attempts', () => {
  it.each([
    [1, 5_000],
    [2, 5 * 60_000],
    [3, 30 * 60_000],
    [4, 2 * HOUR_MS],
    [5, 5 * HOUR_MS],
    [6, 10 * HOUR_MS],
    [7, 14 * HOUR_MS],
    [8, 20 * HOUR_MS],
    [9, 24 * HOUR_MS],
  ])('waits after attempt %i for %i ms, by a tenth less or more', (attempt, ms) => {
    expect(nextDelayMs(attempt, 0.5)).toBe(ms);
    expect(nextDelayMs(attempt, 0)).toBe(Math.round(0.9 * ms));
    expect(nextDelayMs(attempt, 1)).toBe(Math.round(1.1 * ms));
  });

  it('ends after ten attempts', () => {
    expect(nextDelayMs(10, 0.5)).toBeUndefined();
  });
});

describe('the wait for a free slot', () => {
  it.each([
    [0, 1],
    [0.5, 2],
    [0.999, 3],
  ])('with %d is %i s', (random, seconds) => {
    expect(contendedDelaySeconds(random)).toBe(seconds);
  });
});

describe('the wait after a failure of our own', () => {
  it.each([
    [1, 2],
    [2, 4],
    [5, 32],
    [9, 300],
    [1_000, 300],
  ])('after receive %i is at most %i s', (receiveCount, seconds) => {
    expect(failedDelaySeconds(receiveCount, 0)).toBe(seconds);
  });

  it('is a whole number of at least one second, which SQS accepts', () => {
    const counts = fc.integer({ min: 1, max: 100_000 });
    const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(counts, randoms, (count, random) => {
        const seconds = failedDelaySeconds(count, random);
        expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 300).toBe(true);
      }),
    );
  });
});
