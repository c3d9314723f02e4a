import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Bucket, BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import { givenStoredBuckets, referenceBucket, type StoredBuckets } from '../../support/bucket.ts';
import { NOW_MS } from '../../support/clock.ts';

let buckets: StoredBuckets;
beforeAll(async () => {
  buckets = await givenStoredBuckets();
});

const limits: fc.Arbitrary<BucketLimits> = fc.oneof(
  fc.constantFrom(
    { limit: 7, windowSeconds: 60 },
    { limit: 1, windowSeconds: 1 },
    { limit: 1_000, windowSeconds: 1 },
  ),
  fc.record({ limit: fc.integer({ min: 1, max: 12 }), windowSeconds: fc.integer({ min: 1, max: 120 }) }),
);

/** How far a writer's clock is wrong, in milliseconds. */
const skewMs = fc.integer({ min: -5_000, max: 5_000 });

const aheadMicros = fc.integer({ min: -10_000_000, max: 120_000_000 });

/** The bucket that a writer expects: its last or first sight of it, none, or an invented one. */
const hint = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ type: 'last' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'absent' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'first' as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('invented' as const), limits, aheadMicros }) },
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
    if (result.outcome === 'unusable') throw new Error('The key is unusable');
    seen.push(result.key);
    expect({ admitted: result.outcome === 'taken', tatMicros: result.key.tatMicros }).toStrictEqual(expected);
    expect(calls).toBeLessThanOrEqual(isRight ? 1 : 2);
  }
};

/** Sends requests at once, one by each clock: how many took a token, and how far the TAT is after them. */
const burst = async (keyId: string, skewsMs: readonly number[], known?: Bucket) => {
  const results = await Promise.all(
    skewsMs.map((skew) => buckets.bucket.take({ keyId, now: () => NOW_MS + skew, known })),
  );
  const taken = results.filter(({ outcome }) => outcome === 'taken').length;
  expect(results.filter(({ outcome }) => outcome === 'denied')).toHaveLength(skewsMs.length - taken);
  return { taken, tatMicros: (await buckets.stored({ secret: '', keyId }))?.tatMicros ?? 0 };
};

describe('a stored bucket', { timeout: 60_000 }, () => {
  it('decides every request as the reference does, in at most two calls: two writers, wrong clocks, any hints', async () => {
    const steps = fc.array(step, { maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(limits, fc.tuple(skewMs, skewMs), steps, run);
    await fc.assert(property, { numRuns: 40 });
  });

  it('admits exactly as many of a burst as it has tokens', async () => {
    const limit = fc.integer({ min: 1, max: 10 });
    const requests = fc.integer({ min: 1, max: 16 });
    const property = fc.asyncProperty(limit, fc.nat(), requests, fc.boolean(), async (...drawn) => {
      const [tokens, draw, count, hasHint] = drawn;
      const spent = draw % (tokens + 1);
      // One token a second.
      const bucket = { limit: tokens, windowSeconds: tokens, tatMicros: (NOW_MS + spent * 1_000) * 1_000 };
      const { keyId } = await buckets.givenKey(bucket, bucket);
      const { taken, tatMicros } = await burst(keyId, Array(count).fill(0), hasHint ? bucket : undefined);
      expect(taken).toBe(Math.min(count, tokens - spent));
      expect(tatMicros).toBe(bucket.tatMicros + taken * 1_000_000);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('counts each token of a burst once, whatever the clocks of the writers', async () => {
    const skews = fc.array(skewMs, { minLength: 1, maxLength: 16, size: 'max' });
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 30 }), skews, async (limit, skewsMs) => {
      // Busy by every clock, so that each taken token adds one second to the TAT.
      const bucket = { limit, windowSeconds: limit, tatMicros: (NOW_MS + 6_000) * 1_000 };
      const { keyId } = await buckets.givenKey(bucket, bucket);
      const { taken, tatMicros } = await burst(keyId, skewsMs);
      expect(tatMicros).toBe(bucket.tatMicros + taken * 1_000_000);
      // Never more than a full bucket by the clock that is furthest ahead.
      const fullAtMicros = (NOW_MS + Math.max(...skewsMs) + limit * 1_000) * 1_000;
      expect(taken === 0 || tatMicros <= fullAtMicros).toBe(true);
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
