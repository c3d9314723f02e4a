import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bucket,
  type BucketLimits,
  carryOver,
  describeBucket,
  hasToken,
} from '../../../lib/api-keys/token-bucket.ts';
import { takeToken } from '../../support/bucket.ts';
import { NOW_MS } from '../../support/clock.ts';

const limits: fc.Arbitrary<BucketLimits> = fc.oneof(
  fc.constantFrom(
    { limit: 7, windowSeconds: 60 },
    { limit: 1, windowSeconds: 1 },
    { limit: 1_000, windowSeconds: 1 },
    { limit: 60, windowSeconds: 60 },
    { limit: 3, windowSeconds: 1 },
  ),
  fc.record({ limit: fc.integer({ min: 1, max: 20 }), windowSeconds: fc.integer({ min: 1, max: 3_600 }) }),
  fc.record({ limit: fc.integer({ min: 1, max: 1_000 }), windowSeconds: fc.integer({ min: 1, max: 60 }) }),
);

/** One request: its time, and the bucket after it. */
interface Sent {
  readonly nowMs: number;
  readonly admitted: boolean;
  readonly bucket: Bucket;
}

/** Up to 300 requests: most at the moment of the one before, some about an interval later, few about a window. */
const requests: fc.Arbitrary<readonly Sent[]> = fc
  .tuple(
    limits,
    fc.array(fc.tuple(fc.nat({ max: 19 }), fc.nat({ max: 1_000 })), { maxLength: 300, size: 'max' }),
  )
  .map(([bucketLimits, draws]) => {
    const windowMs = bucketLimits.windowSeconds * 1_000;
    let nowMs = NOW_MS;
    let tatMicros = 0;
    return draws.map(([kind, thousandths]) => {
      if (kind === 19) nowMs += Math.round((windowMs * thousandths) / 1_000);
      else if (kind >= 12) nowMs += Math.round((windowMs * thousandths) / bucketLimits.limit / 500);
      const next = takeToken({ ...bucketLimits, tatMicros }, nowMs * 1_000);
      tatMicros = next ?? tatMicros;
      return { nowMs, admitted: next !== undefined, bucket: { ...bucketLimits, tatMicros } };
    });
  });

const forAnyRequests = (check: (sent: readonly Sent[]) => void): void =>
  fc.assert(fc.property(requests, check));

/** How many tokens a bucket gives at one moment. */
const countTokens = (bucket: Bucket, nowMicros: number): number => {
  let { tatMicros } = bucket;
  for (let taken = 0; ; taken += 1) {
    const next = takeToken({ ...bucket, tatMicros }, nowMicros);
    if (next === undefined) return taken;
    tatMicros = next;
  }
};

describe('for any limits and any schedule, a bucket', () => {
  it('decides every request as a bucket that is filled drop by drop', () => {
    forAnyRequests((sent) => {
      let level: bigint | undefined;
      let lastMs = NOW_MS;
      for (const { nowMs, admitted, bucket } of sent) {
        // One drop a microsecond. A token has as many drops as its interval has microseconds, rounded up.
        const limit = BigInt(bucket.limit);
        const token = (BigInt(bucket.windowSeconds) * 1_000_000n + limit - 1n) / limit;
        const full = token * limit;
        level = (level ?? full) + BigInt(nowMs - lastMs) * 1_000n;
        if (level > full) level = full;
        lastMs = nowMs;
        expect(admitted).toBe(level >= token);
        if (admitted) level -= token;
        expect(describeBucket(bucket, nowMs * 1_000).remaining).toBe(Number(level / token));
      }
    });
  });

  it('never admits more than limit + t * limit / window, and loses less than a microsecond per token to rounding', () => {
    forAnyRequests((sent) => {
      let level: bigint | undefined;
      let taken = 0n;
      let lastMs = NOW_MS;
      for (const { nowMs, admitted, bucket } of sent) {
        // Levels are tokens times the window's microseconds. A microsecond then adds the limit, without rounding.
        const limit = BigInt(bucket.limit);
        const token = BigInt(bucket.windowSeconds) * 1_000_000n;
        level = (level ?? token * limit) + BigInt(nowMs - lastMs) * 1_000n * limit;
        if (level > token * limit) level = token * limit;
        lastMs = nowMs;
        expect(admitted ? level >= token : level < token + taken * limit).toBe(true);
        if (!admitted) continue;
        level -= token;
        taken += 1n;
      }
    });
  });
});

describe('for any limits and any schedule, the reported rate limit', () => {
  it('has integers, the first wait after which a request passes, and the first second of a full bucket', () => {
    forAnyRequests((sent) => {
      for (const { nowMs, bucket } of sent) {
        const reported = describeBucket(bucket, nowMs * 1_000);
        const { limit, remaining, resetAtSeconds, retryAfterSeconds } = reported;
        const isInteger = (value: number) => Number.isSafeInteger(value) && !Object.is(value, -0);
        expect(Object.values(reported).every(isInteger)).toBe(true);
        expect(limit).toBe(bucket.limit);
        expect(retryAfterSeconds >= 1).toBe(remaining === 0);
        const passesAfter = (seconds: number) => hasToken(bucket, (nowMs + seconds * 1_000) * 1_000);
        expect(passesAfter(retryAfterSeconds)).toBe(true);
        expect(retryAfterSeconds > 1 && passesAfter(retryAfterSeconds - 1)).toBe(false);
        const isFullAt = (seconds: number) => bucket.tatMicros <= seconds * 1_000_000;
        expect(isFullAt(resetAtSeconds)).toBe(true);
        expect((resetAtSeconds - 1) * 1_000 >= nowMs && isFullAt(resetAtSeconds - 1)).toBe(false);
      }
    });
  });
});

/** A bucket in any state: full for a while, or with some tokens taken and some partly back. */
const anyBucket: fc.Arbitrary<Bucket> = fc
  .tuple(limits, fc.double({ min: -0.5, max: 1, noNaN: true }))
  .map(([bucket, missing]) => ({
    ...bucket,
    tatMicros: NOW_MS * 1_000 + Math.round(missing * bucket.windowSeconds * 1_000_000),
  }));

const changeLimits = (bucket: Bucket, to: BucketLimits): Bucket => ({
  ...to,
  tatMicros: carryOver(bucket, to, NOW_MS * 1_000),
});

describe('for any bucket, changed limits', () => {
  it('keep the taken tokens taken: only the difference of the limits is added or removed', () => {
    fc.assert(
      fc.property(anyBucket, limits, (bucket, to) => {
        const before = countTokens(bucket, NOW_MS * 1_000);
        const after = countTokens(changeLimits(bucket, to), NOW_MS * 1_000);
        expect(after).toBe(Math.max(0, before + to.limit - bucket.limit));
      }),
    );
  });

  it('leave a full bucket full, and an empty one full after one new window', () => {
    fc.assert(
      fc.property(anyBucket, limits, (bucket, to) => {
        const changed = changeLimits(bucket, to);
        const isFull = ({ tatMicros }: Bucket): boolean => tatMicros <= NOW_MS * 1_000;
        expect(isFull(changed)).toBe(isFull(bucket));
        // The interval is rounded up to whole microseconds.
        const latestMicros = NOW_MS * 1_000 + to.windowSeconds * 1_000_000 + to.limit;
        expect(changed.tatMicros).toBeLessThanOrEqual(latestMicros);
      }),
    );
  });
});
