import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import { givenStoredBuckets, referenceBucket, type StoredBuckets } from '../../support/bucket.ts';
import { manualClock } from '../../support/clock.ts';

let buckets: StoredBuckets;
beforeAll(async () => {
  buckets = await givenStoredBuckets();
});

const limits = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  windowSeconds: fc.integer({ min: 1, max: 30 }),
});
const skewsMs = fc.tuple(fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: -5_000, max: 5_000 }));
const steps = fc.array(
  fc.record({
    environment: fc.constantFrom<0 | 1>(0, 1),
    pauseMs: fc.oneof(fc.constant(0), fc.nat({ max: 700 }), fc.nat({ max: 10_000 })),
  }),
  { maxLength: 40, size: 'max' },
);

describe('what environments remember', () => {
  it('never changes a decision, whatever their number and their clocks', { timeout: 60_000 }, async () => {
    let recalled = 0;
    await fc.assert(
      fc.asyncProperty(limits, skewsMs, steps, async (bucketLimits, skews, requests) => {
        const { secret } = await buckets.givenKey(bucketLimits);
        const reference = referenceBucket(bucketLimits);
        const clock = manualClock();
        const environments = skews.map((skewMs) => {
          const now = () => clock.now() + skewMs;
          return { now, authenticator: createAuthenticator({ bucket: buckets.bucket, now }) };
        });
        for (const { environment, pauseMs } of requests) {
          clock.advance(pauseMs / 1_000);
          const { now, authenticator } = environments[environment]!;
          const memory = authenticator.recall(secret);
          const { outcome, ...told } = memory ?? (await authenticator.admit(secret));
          if (memory) recalled += 1;
          expect(outcome).toBe(reference.take(now()).admitted ? 'admitted' : 'limited');
          expect(told).toMatchObject({ rateLimit: { limit: bucketLimits.limit } });
        }
      }),
      { numRuns: 40 },
    );
    // Else the property would say nothing of memory.
    expect(recalled).toBeGreaterThan(0);
  });
});
