import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Bucket, BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import { givenStoredBuckets, referenceBucket, type StoredBuckets } from '../../support/bucket.ts';

const START_MS = Date.UTC(2026, 0, 15, 12, 30, 0, 250);

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

/** What a writer thinks of the bucket before it asks. */
const hint = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ type: 'last' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'absent' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'first' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('invented' as const),
      limits,
      aheadMicros: fc.integer({ min: -10_000_000, max: 120_000_000 }),
    }),
  },
);

const step = fc.record({
  writer: fc.constantFrom<0 | 1>(0, 1),
  /** Mostly no time, else up to two intervals, seldom a whole window. */
  pause: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.double({ min: 0, max: 2, noNaN: true }) },
    { weight: 1, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  ),
  hint,
});

/** How far each writer's clock goes wrong, in milliseconds. */
const skews = fc.tuple(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: -5_000, max: 5_000 }));

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Two environments with a memory and a clock of their own take tokens in turn, and a reference beside them. */
const run = async (bucketLimits: BucketLimits, [skew0, skew1]: [number, number], steps: readonly Step[]) => {
  const { keyId } = await buckets.givenKey(bucketLimits);
  const reference = referenceBucket(bucketLimits);
  const intervalMs = (bucketLimits.windowSeconds * 1_000) / bucketLimits.limit;
  const sights: [Bucket[], Bucket[]] = [[], []];
  let timeMs = START_MS;
  for (const { writer, pause, hint: thought } of steps) {
    timeMs +=
      pause === Number.POSITIVE_INFINITY
        ? bucketLimits.windowSeconds * 1_000
        : Math.round(pause * intervalMs);
    const nowMs = timeMs + (writer === 0 ? skew0 : skew1);
    const seen = sights[writer];
    const known = {
      last: seen.at(-1),
      absent: undefined,
      first: seen[0],
      invented:
        thought.type === 'invented'
          ? { ...thought.limits, tatMicros: nowMs * 1_000 + thought.aheadMicros }
          : undefined,
    }[thought.type];
    const isRight = known?.tatMicros === reference.tat() && known.limit === bucketLimits.limit;

    const expected = reference.take(nowMs);
    const { result, calls } = await buckets.countCalls(() =>
      buckets.bucket.take({ keyId, now: () => nowMs, known }),
    );
    if (result.outcome === 'unusable') throw new Error('The key is unusable');
    seen.push(result.key);
    expect({ admitted: result.outcome === 'taken', tatMicros: result.key.tatMicros }).toStrictEqual(expected);
    expect(calls).toBeLessThanOrEqual(thought.type === 'last' && isRight ? 1 : 2);
  }
};

describe('a stored bucket', () => {
  it(
    'decides every request as the reference does, in at most two calls: two writers, wrong clocks, any hints',
    { timeout: 60_000 },
    async () => {
      await fc.assert(fc.asyncProperty(limits, skews, fc.array(step, { maxLength: 40, size: 'max' }), run), {
        numRuns: 40,
      });
    },
  );

  it('admits exactly as many of a burst as it has tokens', { timeout: 60_000 }, async () => {
    const burst = fc.record({
      limit: fc.integer({ min: 1, max: 10 }),
      spent: fc.nat({ max: 10 }),
      requests: fc.integer({ min: 1, max: 16 }),
      hasHint: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(burst, async ({ limit, spent, requests, hasHint }) => {
        const { keyId } = await buckets.givenKey({ limit, windowSeconds: limit });
        const taken = Math.min(spent, limit);
        let known: Bucket | undefined;
        for (let i = 0; i < taken; i += 1) {
          const result = await buckets.bucket.take({ keyId, now: () => START_MS });
          if (result.outcome === 'taken' && hasHint) known = result.key;
        }
        const outcomes = await Promise.all(
          Array.from({ length: requests }, async () => {
            const { outcome } = await buckets.bucket.take({ keyId, now: () => START_MS, known });
            return outcome;
          }),
        );
        const admitted = Math.min(requests, limit - taken);
        expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(admitted);
        expect(outcomes.filter((outcome) => outcome === 'denied')).toHaveLength(requests - admitted);
        // One token a second.
        const stored = await buckets.stored({ secret: '', keyId });
        expect(stored?.tatMicros).toBe((START_MS + (taken + admitted) * 1_000) * 1_000);
      }),
      { numRuns: 40 },
    );
  });

  it(
    'counts each token of a burst once, whatever the clocks of those who take them',
    { timeout: 60_000 },
    async () => {
      const clocks = fc.array(fc.integer({ min: -5_000, max: 5_000 }), {
        minLength: 1,
        maxLength: 16,
        size: 'max',
      });
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 30 }), clocks, async (limit, skewsMs) => {
          const key = await buckets.givenKey({ limit, windowSeconds: limit });
          // Busy by every clock, so that each token taken adds one second to the TAT.
          const tatMicros = (START_MS + 6_000) * 1_000;
          await buckets.change(key, { tatMicros });
          const outcomes = await Promise.all(
            skewsMs.map(async (skewMs) => {
              const { outcome } = await buckets.bucket.take({
                keyId: key.keyId,
                now: () => START_MS + skewMs,
              });
              return outcome;
            }),
          );
          const taken = outcomes.filter((outcome) => outcome === 'taken').length;
          const stored = await buckets.stored(key);
          expect(stored?.tatMicros).toBe(tatMicros + taken * 1_000_000);
          // Never more than a full bucket by the clock that is furthest ahead.
          const fullAtMicros = (START_MS + Math.max(...skewsMs) + limit * 1_000) * 1_000;
          expect(taken === 0 || Number(stored?.tatMicros) <= fullAtMicros).toBe(true);
        }),
        { numRuns: 40 },
      );
    },
  );
});
