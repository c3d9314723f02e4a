import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import { givenStoredBuckets, referenceBucket } from '../../support/bucket.ts';
import { manualClock } from '../../support/clock.ts';

const limits = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  windowSeconds: fc.integer({ min: 1, max: 30 }),
});
const skewMs = fc.integer({ min: -5_000, max: 5_000 });
const step = fc.record({
  environment: fc.constantFrom<0 | 1>(0, 1),
  pauseMs: fc.oneof(fc.constant(0), fc.nat({ max: 700 }), fc.nat({ max: 10_000 })),
});
const steps = fc.array(step, { maxLength: 40, size: 'max' });

it(
  'the memory of two environments with wrong clocks never changes a decision',
  { timeout: 60_000 },
  async () => {
    const buckets = await givenStoredBuckets();
    let recalled = 0;
    const property = fc.asyncProperty(limits, fc.tuple(skewMs, skewMs), steps, async (...drawn) => {
      const [bucketLimits, skewsMs, requests] = drawn;
      const { secret } = await buckets.givenKey(bucketLimits);
      const reference = referenceBucket(bucketLimits);
      const clock = manualClock();
      const environments = skewsMs.map((skew) => {
        const now = () => clock.now() + skew;
        return { now, authenticator: createAuthenticator({ bucket: buckets.bucket, now }) };
      });
      for (const { environment, pauseMs } of requests) {
        clock.advance(pauseMs / 1_000);
        const { now, authenticator } = environments[environment]!;
        const memory = authenticator.recall(secret);
        const { outcome, ...verdict } = memory ?? (await authenticator.admit(secret));
        if (memory) recalled += 1;
        expect(outcome).toBe(reference.take(now()).admitted ? 'admitted' : 'limited');
        expect(verdict).toMatchObject({ rateLimit: { limit: bucketLimits.limit } });
      }
    });
    await fc.assert(property, { numRuns: 40 });
    // Otherwise the property would not test the memory.
    expect(recalled).toBeGreaterThan(0);
  },
);
