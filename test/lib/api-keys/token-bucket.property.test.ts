import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bucket,
  type BucketLimits,
  carryOver,
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

/** A bucket as it may be found: full for a while, or with some tokens taken and some begun to come back. */
const found: fc.Arbitrary<Bucket> = fc
  .tuple(limits, fc.double({ min: -0.5, max: 1, noNaN: true }))
  .map(([bucket, missing]) => ({
    ...bucket,
    tatMicros: START_MS * 1_000 + Math.round(missing * bucket.windowSeconds * 1_000_000),
  }));

/** How many tokens a bucket gives at one moment, and its TAT then. */
const drain = (bucket: Bucket, nowMs: number): { readonly taken: number; readonly tatMicros: number } => {
  let { tatMicros } = bucket;
  for (let taken = 0; ; taken += 1) {
    const next = takeToken({ ...bucket, tatMicros }, nowMs * 1_000);
    if (next === undefined) return { taken, tatMicros };
    tatMicros = next;
  }
};

const changeLimits = (bucket: Bucket, to: BucketLimits): Bucket => ({
  ...to,
  tatMicros: carryOver(bucket, to, START_MS * 1_000),
});

describe('for any bucket, other limits', () => {
  it('leave no more tokens than there were, but for those that the limit was raised by', () => {
    fc.assert(
      fc.property(found, limits, (bucket, to) => {
        const before = drain(bucket, START_MS).taken;
        const after = drain(changeLimits(bucket, to), START_MS).taken;
        expect(after).toBe(Math.max(0, before + to.limit - bucket.limit));
      }),
    );
  });

  it('let at most limit + t * limit / window requests through in t from then on', () => {
    const pauses = fc.array(fc.double({ min: 0, max: 2, noNaN: true }), { maxLength: 10 });
    fc.assert(
      fc.property(found, limits, pauses, (bucket, to, windows) => {
        let { tatMicros } = changeLimits(bucket, to);
        let count = 0;
        let nowMs = START_MS;
        for (const pause of [0, ...windows]) {
          nowMs += Math.round(pause * to.windowSeconds * 1_000);
          const drained = drain({ ...to, tatMicros }, nowMs);
          tatMicros = drained.tatMicros;
          count += drained.taken;
          const rateMs = BigInt(to.windowSeconds) * 1_000n;
          expect(BigInt(count - to.limit) * rateMs <= BigInt(nowMs - START_MS) * BigInt(to.limit)).toBe(true);
        }
      }),
    );
  });

  it('leave a full bucket full, and an empty one full after one new window', () => {
    fc.assert(
      fc.property(found, limits, (bucket, to) => {
        const changed = changeLimits(bucket, to);
        const isFull = ({ tatMicros }: Bucket): boolean => tatMicros <= START_MS * 1_000;
        expect(isFull(changed)).toBe(isFull(bucket));
        // The interval is rounded up to whole microseconds.
        expect(changed.tatMicros).toBeLessThanOrEqual(
          START_MS * 1_000 + to.windowSeconds * 1_000_000 + to.limit,
        );
      }),
    );
  });

  it('that are those it has change nothing but the part of a token that has come back', () => {
    fc.assert(
      fc.property(found, (bucket) => {
        const lateMicros = changeLimits(bucket, bucket).tatMicros - bucket.tatMicros;
        expect(lateMicros).toBeGreaterThanOrEqual(0);
        expect(lateMicros).toBeLessThan(Math.ceil((bucket.windowSeconds * 1_000_000) / bucket.limit));
      }),
    );
  });
});
