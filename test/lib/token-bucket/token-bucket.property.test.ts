import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bucket,
  type BucketLimits,
  carryOver,
  rateLimitAt,
  hasToken,
} from '../../../lib/token-bucket/token-bucket.ts';
import { NOW_MS } from '../../support/clock.ts';
import { anyLimits, takeToken } from '../../support/domain/bucket.ts';

/** One request: its time, and the bucket after it. */
interface Sent {
  readonly nowMs: number;
  readonly admitted: boolean;
  readonly bucket: Bucket;
}

/** Up to 300 requests: most at the moment of the one before, some about an interval later, few about a window. */
const requests: fc.Arbitrary<readonly Sent[]> = fc
  .tuple(
    anyLimits,
    fc.array(fc.tuple(fc.nat({ max: 19 }), fc.nat({ max: 1_000 })), { maxLength: 300, size: 'max' }),
  )
  .map(([bucketLimits, draws]) => {
    const windowMs = bucketLimits.windowSeconds * 1_000;
    let nowMs = NOW_MS;
    let tatMicros = 0;
    return draws.map(([kind, thousandths]) => {
      if (kind === 19) nowMs += Math.round((windowMs * thousandths) / 1_000);
      else if (kind >= 12) nowMs += Math.round((windowMs * thousandths) / bucketLimits.limit / 500);
      const next = takeToken({ ...bucketLimits, tatMicros }, nowMs);
      tatMicros = next ?? tatMicros;
      return { nowMs, admitted: next !== undefined, bucket: { ...bucketLimits, tatMicros } };
    });
  });

const forAnyRequests = (check: (sent: readonly Sent[]) => void): void =>
  fc.assert(fc.property(requests, check));

/** How many tokens a bucket gives at one moment. */
const countTokens = (bucket: Bucket, nowMs: number): number => {
  let { tatMicros } = bucket;
  for (let taken = 0; ; taken += 1) {
    const next = takeToken({ ...bucket, tatMicros }, nowMs);
    if (next === undefined) return taken;
    tatMicros = next;
  }
};

/** A bucket that starts full and is filled drop by drop. */
const dropBucket = (capacity: bigint) => {
  let level = capacity;
  return {
    level: () => level,
    add(drops: bigint) {
      level = level + drops > capacity ? capacity : level + drops;
    },
  };
};

describe('for any limits and any schedule, a bucket', () => {
  it('never admits more than limit + t * limit / window, and loses less than a microsecond per token', () => {
    forAnyRequests((sent) => {
      const { limit, windowSeconds } = sent[0]?.bucket ?? { limit: 1, windowSeconds: 1 };
      const [tokens, windowMicros] = [BigInt(limit), BigInt(windowSeconds) * 1_000_000n];
      // One drop a microsecond. A token has as many drops as its interval has microseconds, rounded up.
      const interval = (windowMicros + tokens - 1n) / tokens;
      const rounded = dropBucket(interval * tokens);
      // One drop for each token and microsecond, so nothing is rounded.
      const exact = dropBucket(windowMicros * tokens);
      let taken = 0n;
      let lastMs = NOW_MS;
      const wrong: Sent[] = [];
      for (const request of sent) {
        const { nowMs, admitted, bucket } = request;
        const micros = BigInt(nowMs - lastMs) * 1_000n;
        lastMs = nowMs;
        rounded.add(micros);
        exact.add(micros * tokens);
        const isAdmitted = rounded.level() >= interval;
        const missing = windowMicros - exact.level();
        const isExact = admitted ? missing <= 0n : missing > -taken * tokens;
        if (admitted) {
          rounded.add(-interval);
          exact.add(-windowMicros);
          taken += 1n;
        }
        const { remaining } = rateLimitAt(bucket, nowMs);
        const isReported = remaining === Number(rounded.level() / interval);
        if (admitted !== isAdmitted || !isExact || !isReported) wrong.push(request);
      }
      expect(wrong).toStrictEqual([]);
    });
  });
});

describe('for any limits and any schedule, the reported rate limit', () => {
  it('has integers, the first wait after which a request passes, and the first second of a full bucket', () => {
    forAnyRequests((sent) => {
      const isRight = ({ nowMs, bucket }: Sent): boolean => {
        const reported = rateLimitAt(bucket, nowMs);
        const { limit, remaining, resetAtSeconds, retryAfterSeconds } = reported;
        const isInteger = (value: number) => Number.isSafeInteger(value) && !Object.is(value, -0);
        const passesAfter = (seconds: number) => hasToken(bucket, nowMs + seconds * 1_000);
        const isFullAt = (seconds: number) => bucket.tatMicros <= seconds * 1_000_000;
        return (
          Object.values(reported).every(isInteger) &&
          limit === bucket.limit &&
          retryAfterSeconds >= 1 === (remaining === 0) &&
          passesAfter(retryAfterSeconds) &&
          !(retryAfterSeconds > 1 && passesAfter(retryAfterSeconds - 1)) &&
          isFullAt(resetAtSeconds) &&
          !((resetAtSeconds - 1) * 1_000 >= nowMs && isFullAt(resetAtSeconds - 1))
        );
      };
      expect(sent.filter((request) => !isRight(request))).toStrictEqual([]);
    });
  });
});

/** A bucket in any state: full for a while, or with some tokens taken and some partly back. */
const anyBucket: fc.Arbitrary<Bucket> = fc
  .tuple(anyLimits, fc.double({ min: -0.5, max: 1, noNaN: true }))
  .map(([bucket, missing]) => ({
    ...bucket,
    tatMicros: NOW_MS * 1_000 + Math.round(missing * bucket.windowSeconds * 1_000_000),
  }));

const changeLimits = (bucket: Bucket, to: BucketLimits): Bucket => ({
  ...to,
  tatMicros: carryOver(bucket, to, NOW_MS),
});

describe('for any bucket, changed limits', () => {
  it('keep the taken tokens taken: only the difference of the limits is added or removed', () => {
    fc.assert(
      fc.property(anyBucket, anyLimits, (bucket, to) => {
        const before = countTokens(bucket, NOW_MS);
        const after = countTokens(changeLimits(bucket, to), NOW_MS);
        expect(after).toBe(Math.max(0, before + to.limit - bucket.limit));
      }),
    );
  });

  it('leave a full bucket full, and an empty one full after one new window', () => {
    fc.assert(
      fc.property(anyBucket, anyLimits, (bucket, to) => {
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
