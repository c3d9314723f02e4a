import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BucketLimits,
  emissionIntervalMicros,
  takeToken,
} from '../../../../lib/api-keys/token-bucket.ts';
import type { ApiResponse } from '../../../support/contract.ts';
import type { Exchange, History } from '../history.ts';
import { checkBuckets } from './buckets.ts';
import { exchange, historyOf, refused, retrieveRequest, START_MS } from './histories.ts';

/** Answered 404: a token was taken. */
const admittedAt = (fromMs: number, toMs: number, answer: ApiResponse = refused('cartNotFound')): Exchange =>
  exchange(retrieveRequest('x', { expects: 'cartNotFound' }), answer, {
    startedAtMs: START_MS + fromMs,
    endedAtMs: START_MS + toMs,
  });

const withLimits = (exchanges: readonly Exchange[], limits: BucketLimits): History =>
  historyOf(exchanges, { keys: new Map([['key', { ...limits, storeId: 'store-1', mode: 'test' }]]) });

const surplus = (exchanges: readonly Exchange[], limits: BucketLimits): number =>
  checkBuckets(withLimits(exchanges, limits)).length;

const TEN_IN_TEN_SECONDS = { limit: 10, windowSeconds: 10 };

const times = (count: number, make: (index: number) => Exchange): Exchange[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('a bucket of 10 in 10 s', () => {
  test('may admit 10 at once, and not 11', () => {
    expect(
      surplus(
        times(10, () => admittedAt(0, 0)),
        TEN_IN_TEN_SECONDS,
      ),
    ).toBe(0);
    expect(
      surplus(
        times(11, () => admittedAt(0, 0)),
        TEN_IN_TEN_SECONDS,
      ),
    ).toBe(1);
  });

  test('may admit 11 if one of them may have come a second after the first, and not if it ended 1 ms before', () => {
    const ten = times(10, () => admittedAt(0, 0));
    expect(surplus([...ten, admittedAt(0, 1_000)], TEN_IN_TEN_SECONDS)).toBe(0);
    expect(surplus([...ten, admittedAt(0, 999)], TEN_IN_TEN_SECONDS)).toBe(1);
  });

  test('may admit 20 within 10 s, and not 21', () => {
    const spread = (count: number) => times(count, () => admittedAt(0, 10_000));
    expect(surplus(spread(20), TEN_IN_TEN_SECONDS)).toBe(0);
    expect(surplus(spread(21), TEN_IN_TEN_SECONDS)).toBe(1);
  });

  test('saves no more than 10, however long nobody asks', () => {
    const late = times(12, () => admittedAt(60_000, 60_001));
    expect(surplus([admittedAt(0, 1), ...late], TEN_IN_TEN_SECONDS)).toBe(2);
  });

  test('does not blame a short request on a long one that may have come later', () => {
    const long = times(9, () => admittedAt(0, 9_000));
    const short = times(10, () => admittedAt(5, 5));
    expect(surplus([...long, ...short], TEN_IN_TEN_SECONDS)).toBe(0);
    expect(surplus([...long, ...short, admittedAt(5, 5)], TEN_IN_TEN_SECONDS)).toBe(1);
  });

  test('is not asked for 429, nor for a 503 that does not tell the limit; it is for one that does', () => {
    const ten = times(10, () => admittedAt(0, 0));
    const unavailable = refused('serviceUnavailable');
    const failedLater = { ...unavailable, headers: { ...unavailable.headers, 'x-ratelimit-limit': '10' } };
    expect(surplus([...ten, admittedAt(0, 0, refused('rateLimited'))], TEN_IN_TEN_SECONDS)).toBe(0);
    expect(surplus([...ten, admittedAt(0, 0, unavailable)], TEN_IN_TEN_SECONDS)).toBe(0);
    expect(surplus([...ten, admittedAt(0, 0, failedLater)], TEN_IN_TEN_SECONDS)).toBe(1);
  });

  test('is one for each key', () => {
    const other = times(10, () => {
      const seen = admittedAt(0, 0);
      return { ...seen, request: { ...seen.request, keyName: 'other' } };
    });
    const { keys } = historyOf([]);
    const history = historyOf([...times(10, () => admittedAt(0, 0)), ...other], {
      keys: new Map([...keys, ['other', keys.get('key')!]]),
    });
    expect(checkBuckets(history)).toEqual([]);
    expect(checkBuckets({ ...history, keys })).toHaveLength(10);
  });
});

const limitsArbitrary = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  windowSeconds: fc.integer({ min: 1, max: 5 }),
});

/** When a request came, in milliseconds, and how long before and after that it began and ended. */
const requestsArbitrary = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 12_000 }),
    beforeMs: fc.integer({ min: 0, max: 3_000 }),
    afterMs: fc.integer({ min: 0, max: 3_000 }),
  }),
  { maxLength: 60 },
);

test('whatever a real bucket admits is never found guilty, whenever its requests began and ended', () => {
  fc.assert(
    fc.property(limitsArbitrary, requestsArbitrary, (limits, requests) => {
      let tatMicros = 0;
      const admitted = requests
        .toSorted((a, b) => a.atMs - b.atMs)
        .filter(({ atMs }) => {
          const next = takeToken({ ...limits, tatMicros }, (START_MS + atMs) * 1_000);
          tatMicros = next ?? tatMicros;
          return next !== undefined;
        })
        .map(({ atMs, beforeMs, afterMs }) => admittedAt(atMs - beforeMs, atMs + afterMs));
      expect(surplus(admitted, limits)).toBe(0);
    }),
  );
});

test('guilty is exactly the history with an interval that holds more whole requests than the rule allows', () => {
  fc.assert(
    fc.property(limitsArbitrary, requestsArbitrary, (limits, requests) => {
      const exchanges = requests.map(({ atMs, beforeMs, afterMs }) =>
        admittedAt(atMs - beforeMs, atMs + afterMs),
      );
      const intervalMs = emissionIntervalMicros(limits) / 1_000;
      const isBroken = exchanges.some(({ startedAtMs: fromMs }) =>
        exchanges.some(({ endedAtMs: toMs }) => {
          const inside = exchanges.filter((seen) => seen.startedAtMs >= fromMs && seen.endedAtMs <= toMs);
          return inside.length > 0 && (inside.length - limits.limit) * intervalMs > toMs - fromMs;
        }),
      );
      expect(surplus(exchanges, limits) > 0).toBe(isBroken);
    }),
  );
});
