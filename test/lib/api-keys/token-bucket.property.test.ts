import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BucketLimits,
  describeBucket,
  hasToken,
  takeToken,
} from '../../../lib/api-keys/token-bucket.ts';

const START_MS = 1_768_480_200_250;

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

/** Up to 300 requests: most at the moment of the one before, some about an interval later, few about a window. */
const schedule = fc
  .tuple(
    limits,
    fc.array(fc.tuple(fc.nat({ max: 19 }), fc.nat({ max: 1_000 })), { maxLength: 300, size: 'max' }),
  )
  .map(([bucket, draws]) => {
    const intervalMs = (bucket.windowSeconds * 1_000) / bucket.limit;
    let nowMs = START_MS;
    const moments = draws.map(([kind, thousandths]) => {
      if (kind === 19) nowMs += Math.round(bucket.windowSeconds * thousandths);
      else if (kind >= 12) nowMs += Math.round((intervalMs * thousandths) / 500);
      return nowMs;
    });
    return { bucket, moments };
  });

/** Sends a request at each moment: the moments of those that passed, and the TAT after each request. */
const send = (bucket: BucketLimits, moments: readonly number[]) => {
  let tat = 0;
  return moments.map((nowMs) => {
    const next = takeToken({ ...bucket, tatMicros: tat }, nowMs * 1_000);
    tat = next ?? tat;
    return { nowMs, admitted: next !== undefined, tat };
  });
};

describe('for any limits and any schedule, a bucket', () => {
  it('admits at most limit + t * limit / window requests in every interval of t', () => {
    fc.assert(
      fc.property(schedule, ({ bucket, moments }) => {
        const admitted = send(bucket, moments).filter((request) => request.admitted);
        // In integers: (count - limit) * window <= t * limit, the window in milliseconds as t is.
        const windowMs = BigInt(bucket.windowSeconds) * 1_000n;
        const excesses = admitted.flatMap(({ nowMs: firstMs }, first) =>
          admitted
            .slice(first)
            .filter(
              ({ nowMs: lastMs }, more) =>
                BigInt(more + 1 - bucket.limit) * windowMs > BigInt(lastMs - firstMs) * BigInt(bucket.limit),
            )
            .map(({ nowMs: lastMs }) => ({ firstMs, lastMs })),
        );
        expect(excesses).toStrictEqual([]);
      }),
    );
  });

  it('decides every request as a bucket that is filled drop by drop', () => {
    fc.assert(
      fc.property(schedule, ({ bucket, moments }) => {
        // One drop a microsecond; a token is as many drops as its interval has microseconds, rounded up.
        const drops = BigInt(bucket.windowSeconds) * 1_000_000n;
        const token = (drops + BigInt(bucket.limit) - 1n) / BigInt(bucket.limit);
        const full = token * BigInt(bucket.limit);
        let level = full;
        let lastMs = START_MS;
        const expected = moments.map((nowMs) => {
          level += BigInt(nowMs - lastMs) * 1_000n;
          if (level > full) level = full;
          lastMs = nowMs;
          const admitted = level >= token;
          if (admitted) level -= token;
          return { admitted, remaining: Number(level / token) };
        });
        const told = send(bucket, moments).map(({ nowMs, admitted, tat }) => ({
          admitted,
          remaining: describeBucket({ ...bucket, tatMicros: tat }, nowMs * 1_000).remaining,
        }));
        expect(told).toStrictEqual(expected);
      }),
    );
  });

  it('costs by rounding less than a microsecond of refill for each token taken', () => {
    fc.assert(
      fc.property(schedule, ({ bucket, moments }) => {
        // Levels are tokens times the window's microseconds, so that a microsecond adds the limit, without rounding.
        const token = BigInt(bucket.windowSeconds) * 1_000_000n;
        const full = token * BigInt(bucket.limit);
        let level = full;
        let taken = 0n;
        let lastMs = START_MS;
        for (const { nowMs, admitted } of send(bucket, moments)) {
          level += BigInt(nowMs - lastMs) * 1_000n * BigInt(bucket.limit);
          if (level > full) level = full;
          lastMs = nowMs;
          const rounding = taken * BigInt(bucket.limit);
          expect(admitted ? level >= token : level < token + rounding).toBe(true);
          if (!admitted) continue;
          level -= token;
          taken += 1n;
        }
      }),
    );
  });
});

describe('for any limits and any schedule, what is told', () => {
  it('is integers: a limit, 0 to limit - 1 left, a reset not before now, a wait where nothing is left', () => {
    fc.assert(
      fc.property(schedule, ({ bucket, moments }) => {
        for (const { nowMs, admitted, tat } of send(bucket, moments)) {
          const told = describeBucket({ ...bucket, tatMicros: tat }, nowMs * 1_000);
          expect(
            Object.values(told).every((value) => Number.isSafeInteger(value) && !Object.is(value, -0)),
          ).toBe(true);
          expect(told.limit).toBe(bucket.limit);
          expect(told.remaining >= 0 && told.remaining < bucket.limit).toBe(true);
          expect(told.resetAtSeconds * 1_000 >= nowMs).toBe(true);
          expect(told.retryAfterSeconds >= 1).toBe(told.remaining === 0);
          expect(admitted || told.remaining === 0).toBe(true);
        }
      }),
    );
  });

  it('is a wait after which a request passes, and one second less would not do', () => {
    fc.assert(
      fc.property(schedule, ({ bucket, moments }) => {
        for (const { nowMs, admitted, tat } of send(bucket, moments)) {
          if (admitted) continue;
          const { retryAfterSeconds } = describeBucket({ ...bucket, tatMicros: tat }, nowMs * 1_000);
          expect(hasToken({ ...bucket, tatMicros: tat }, (nowMs + retryAfterSeconds * 1_000) * 1_000)).toBe(
            true,
          );
          const wouldSecondLessDo = hasToken(
            { ...bucket, tatMicros: tat },
            (nowMs + (retryAfterSeconds - 1) * 1_000) * 1_000,
          );
          expect(retryAfterSeconds > 1 && wouldSecondLessDo).toBe(false);
        }
      }),
    );
  });

  it('is the first whole second at which the bucket is full again', () => {
    fc.assert(
      fc.property(schedule, ({ bucket, moments }) => {
        const last = send(bucket, moments).at(-1);
        fc.pre(last !== undefined);
        const { resetAtSeconds } = describeBucket({ ...bucket, tatMicros: last.tat }, last.nowMs * 1_000);
        const countAt = (nowMicros: number): number => {
          let taken = 0;
          let tat: number | undefined = last.tat;
          while (
            taken <= bucket.limit &&
            (tat = takeToken({ ...bucket, tatMicros: tat }, nowMicros)) !== undefined
          )
            taken += 1;
          return taken;
        };
        expect(countAt(resetAtSeconds * 1_000_000)).toBe(bucket.limit);
        const secondBefore = (resetAtSeconds - 1) * 1_000_000;
        const wasFullBefore = secondBefore >= last.nowMs * 1_000 && countAt(secondBefore) === bucket.limit;
        expect(wasFullBefore).toBe(false);
      }),
    );
  });
});
