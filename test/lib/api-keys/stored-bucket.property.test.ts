import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import { CLOCK_DIFFERENCE_MAX_MS } from '../../../lib/core/clock.ts';
import type { Bucket, BucketLimits } from '../../../lib/token-bucket/token-bucket.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { anyLimits, givenStoredBuckets, referenceBucket } from '../../support/domain/bucket.ts';

const buckets = await givenStoredBuckets();

/** `npm run test:fuzz` runs more. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 12);

/** How far a writer's clock is wrong: two clocks differ by at most `CLOCK_DIFFERENCE_MAX_MS`. */
const skewMs = fc.integer({ min: -CLOCK_DIFFERENCE_MAX_MS / 2, max: CLOCK_DIFFERENCE_MAX_MS / 2 });

const aheadMicros = fc.integer({ min: -10_000_000, max: 120_000_000 });

/** The bucket that a writer expects: its last or first sight of it, none, or an invented one. */
const hint = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ type: 'last' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'absent' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'first' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('invented' as const), limits: anyLimits, aheadMicros }),
  },
);

const step = fc.record({
  writer: fc.constantFrom<0 | 1>(0, 1),
  /** In intervals: mostly none, else up to two. */
  pause: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2, noNaN: true })),
  /** Seldom a whole window passes. */
  isLongPause: fc.nat({ max: 9 }).map((draw) => draw === 0),
  hint,
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Two environments, each with a clock and a memory of its own, take tokens in turn beside a reference. */
const run = async (bucketLimits: BucketLimits, skewsMs: readonly number[], steps: readonly Step[]) => {
  const { keyId } = await buckets.givenKey(bucketLimits);
  const reference = referenceBucket(bucketLimits);
  const windowMs = bucketLimits.windowSeconds * 1_000;
  const sights: [Bucket[], Bucket[]] = [[], []];
  let timeMs = NOW_MS;
  for (const { writer, pause, isLongPause, hint: guess } of steps) {
    timeMs += isLongPause ? windowMs : Math.round((pause * windowMs) / bucketLimits.limit);
    const nowMs = timeMs + (skewsMs[writer] ?? 0);
    const seen = sights[writer];
    const guesses = { last: seen.at(-1), absent: undefined, first: seen[0] };
    const known =
      guess.type === 'invented'
        ? { ...guess.limits, tatMicros: nowMs * 1_000 + guess.aheadMicros }
        : guesses[guess.type];
    const isRight = guess.type === 'last' && known?.tatMicros === reference.tat();

    const expected = reference.take(nowMs);
    const { result, calls } = await buckets.countCalls(() =>
      buckets.bucket.take({ keyId, now: () => nowMs, known }),
    );
    if (result.outcome === 'unknown') throw new Error('The key is unusable');
    seen.push(result.key);
    expect({ admitted: result.outcome === 'taken', tatMicros: result.key.tatMicros }).toStrictEqual(expected);
    expect(calls).toBeLessThanOrEqual(isRight ? 1 : 2);
  }
};

describe('a stored bucket', { timeout: 600_000 }, () => {
  it('decides as the reference does, in at most two calls, for two writers with wrong clocks and any hints', async () => {
    const steps = fc.array(step, { maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(anyLimits, fc.tuple(skewMs, skewMs), steps, run);
    await fc.assert(property, { numRuns: RUNS });
  });

  it('counts each token of a burst once, and admits one request for each token if all clocks are equal', async () => {
    const skews = fc.array(skewMs, { minLength: 1, maxLength: 16, size: 'max' });
    const equal = skews.map((skewsMs) => skewsMs.map(() => 0));
    const limit = fc.integer({ min: 1, max: 16 });
    const burst = fc.tuple(limit, fc.nat(), fc.oneof(equal, skews), fc.boolean());
    const property = fc.asyncProperty(burst, async ([tokens, draw, skewsMs, hasHint]) => {
      const isEqual = skewsMs.every((skew) => skew === 0);
      const spent = draw % (tokens + 1);
      // One token a second. With skewed clocks, the bucket is busy by every clock: each taken token adds a second.
      const tatMicros = (NOW_MS + (isEqual ? spent : 3) * 1_000) * 1_000;
      const bucket = { limit: tokens, windowSeconds: tokens, tatMicros };
      const { keyId } = await buckets.givenKey(bucket, bucket);
      const known = hasHint ? bucket : undefined;
      const taking = skewsMs.map((skew) => buckets.bucket.take({ keyId, now: () => NOW_MS + skew, known }));
      const outcomes = (await Promise.all(taking)).map(({ outcome }) => outcome);

      const taken = outcomes.filter((outcome) => outcome === 'taken').length;
      const stored = await buckets.stored({ keyText: '', keyId });
      expect(stored?.tatMicros).toBe(tatMicros + taken * 1_000_000);
      // Never more than a full bucket by the clock that is furthest ahead.
      const fullAtMicros = (NOW_MS + Math.max(...skewsMs) + tokens * 1_000) * 1_000;
      expect(taken === 0 || tatMicros + taken * 1_000_000 <= fullAtMicros).toBe(true);
      expect(!isEqual || taken === Math.min(skewsMs.length, tokens - spent)).toBe(true);
      expect(outcomes.filter((outcome) => outcome === 'limited')).toHaveLength(skewsMs.length - taken);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});

describe('the remaining tokens', { timeout: 600_000 }, () => {
  it('of concurrent requests count down to 0 without a repeat, whatever the order of their times', async () => {
    const burst = fc.record({
      // One token a second, so none returns meanwhile.
      limit: fc.integer({ min: 2, max: 16 }),
      lateMs: fc.array(fc.nat({ max: 40 }), { minLength: 16, maxLength: 16 }),
      /** Each environment has a clock of its own, and a memory from before or none. */
      environments: fc.integer({ min: 1, max: 4 }),
      hasMemory: fc.boolean(),
      idleMs: fc.constantFrom(0, 20, 5_000),
    });
    const property = fc.asyncProperty(burst, async ({ limit, lateMs, environments, hasMemory, idleMs }) => {
      const { keyId } = await buckets.givenKey({ limit, windowSeconds: limit });
      let startMs = NOW_MS;
      const requests = lateMs
        .slice(0, limit)
        .map((late, index) => ({ late, environment: index % environments }));
      const authenticators = Array.from({ length: environments }, () => createAuthenticator(buckets.bucket));
      if (hasMemory) {
        for (const authenticator of authenticators) await authenticator.authenticate(keyId, () => NOW_MS);
        startMs += environments * 1_000 + idleMs;
      }
      const asking = requests.map(({ late, environment }) =>
        authenticators[environment]!.authenticate(keyId, () => startMs + late),
      );
      const left = (await Promise.all(asking)).map(
        (verdict) => 'rateLimit' in verdict && verdict.rateLimit.remaining,
      );
      expect(left.toSorted((a, b) => Number(b) - Number(a))).toStrictEqual(
        Array.from({ length: limit }, (_, index) => limit - 1 - index),
      );
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});

describe('the memory of two environments', { timeout: 600_000 }, () => {
  it('never changes a decision, whatever their clocks', async () => {
    let recalled = 0;
    const small = fc.record({
      limit: fc.integer({ min: 1, max: 6 }),
      windowSeconds: fc.integer({ min: 1, max: 30 }),
    });
    const pauseMs = fc.oneof(fc.constant(0), fc.nat({ max: 700 }), fc.nat({ max: 10_000 }));
    const requests = fc.array(fc.tuple(fc.nat({ max: 1 }), pauseMs), { maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(small, fc.tuple(skewMs, skewMs), requests, async (...drawn) => {
      const [bucketLimits, skewsMs, sent] = drawn;
      const { keyId } = await buckets.givenKey(bucketLimits);
      const reference = referenceBucket(bucketLimits);
      const clock = manualClock();
      const clocks = skewsMs.map((skew) => () => clock.now() + skew);
      const environments = clocks.map(() => createAuthenticator(buckets.bucket));
      for (const [index, pause] of sent) {
        clock.advance(pause / 1_000);
        const nowMs = clocks[index]!();
        const rejection = environments[index]!.recallRejection(keyId, nowMs);
        const verdict = rejection ?? (await environments[index]!.authenticate(keyId, () => nowMs));
        if (rejection) recalled += 1;
        const outcome = reference.take(nowMs).admitted ? 'authenticated' : 'limited';
        expect(verdict).toMatchObject({ outcome, rateLimit: { limit: bucketLimits.limit } });
      }
    });
    await fc.assert(property, { numRuns: RUNS });
    // Otherwise the property would not test the memory.
    expect(recalled).toBeGreaterThan(0);
  });
});
