import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import { createStoredBucket } from '../../../lib/api-keys/stored-bucket.ts';
import { emissionIntervalMicros } from '../../../lib/api-keys/token-bucket.ts';
import { createDocumentClient } from '../../../lib/aws.ts';
import { TrueClock } from '../../../lib/core/true-clock.ts';
import { type GivenKey, givenStoredBuckets } from '../../support/bucket.ts';
import { NOW_MS } from '../../support/clock.ts';

const DAY_MS = 86_400_000;
/** How far two clocks may differ: each is wrong by a second and a round trip of a second at most. */
const SKEW_BOUND_MS = 4_000;

const buckets = await givenStoredBuckets();

/** A world whose time passes with each call, and whose database has the true time. */
const givenWorld = (latencyMaxMs: number) => {
  let trueMs = NOW_MS;
  let draw = 0;
  const now = (): number => trueMs;
  const pass = (ms: number): void => {
    trueMs += ms;
  };
  const passLatency = (): void => pass((draw = (draw * 7 + 131) % latencyMaxMs));

  /** A process on a machine whose clock is wrong by `skewMs`. */
  const givenWriter = (skewMs: number) => {
    const machine = { skewMs };
    const startedAtMs = trueMs - 11;
    const clock = new TrueClock({
      machineNow: () => trueMs + machine.skewMs,
      monotonicNow: () => trueMs - startedAtMs,
    });
    const documents = createDocumentClient(localClientConfig(inject('dynamodbEndpoint')), clock);
    const startCall = clock.startCall.bind(clock);
    clock.startCall = () => {
      const endCall = startCall();
      passLatency();
      return () => {
        const date = new Date(trueMs).toUTCString();
        passLatency();
        endCall(date);
      };
    };
    const authenticator = createAuthenticator(createStoredBucket(documents, buckets.tableName));
    return {
      step: (ms: number) => {
        machine.skewMs = ms;
      },
      /** Sends a request. Returns its verdict, and when it was sent and decided. */
      async ask({ keyId }: GivenKey) {
        const sentAtMs = trueMs;
        passLatency();
        const ofRequest = clock.during(sentAtMs);
        const verdict =
          authenticator.recall(keyId, ofRequest) ?? (await authenticator.admit(keyId, ofRequest));
        return { ...verdict, sentAtMs, decidedAtMs: trueMs };
      },
    };
  };
  return { now, pass, givenWriter };
};

const skewMs = fc.constantFrom(0, 1_000, -1_000, 60_000, -60_000, -600_000, DAY_MS, -DAY_MS);

const step = fc.record({
  writer: fc.nat({ max: 2 }),
  requests: fc.nat({ max: 3 }),
  pauseMs: fc.oneof(fc.constant(0), fc.nat({ max: 3_000 }), fc.constantFrom(20_000, 61_000)),
  /** The machine's clock steps before some requests. */
  skewMs: fc.option(skewMs),
});

const limits = fc.constantFrom(
  { limit: 5, windowSeconds: 10 },
  { limit: 1, windowSeconds: 1 },
  { limit: 6, windowSeconds: 60 },
);

interface Admitted {
  readonly sentAtMs: number;
  readonly decidedAtMs: number;
}

/** The most admissions of an interval beyond its tokens: those of a full bucket and of the refill. */
const surplusOf = (admitted: readonly Admitted[], limit: number, intervalMs: number): number =>
  Math.max(
    ...admitted.flatMap(({ sentAtMs: fromMs }) => {
      const later = admitted.filter(({ sentAtMs }) => sentAtMs >= fromMs);
      return later.map(({ decidedAtMs: toMs }) => {
        const inside = later.filter(({ decidedAtMs }) => decidedAtMs <= toMs).length;
        return inside - limit - (toMs - fromMs) / intervalMs;
      });
    }),
  );

describe('processes with wrong clocks that step', { timeout: 600_000 }, () => {
  it('admit at most the refill of 4 s beyond the tokens, and never lock a key for longer than its window and 5 s', async () => {
    const skews = fc.tuple(skewMs, skewMs, skewMs);
    const steps = fc.array(step, { minLength: 1, maxLength: 6, size: 'max' });
    const property = fc.asyncProperty(limits, skews, steps, async (bucketLimits, skewsMs, drawn) => {
      const { now, pass, givenWriter } = givenWorld(400);
      const key = await buckets.givenKey(bucketLimits);
      const writers = skewsMs.map(givenWriter);
      const longestMs = bucketLimits.windowSeconds * 1_000 + 5_000;
      const admitted: Admitted[] = [];
      for (const { writer, requests, pauseMs, skewMs: stepMs } of drawn) {
        pass(pauseMs);
        if (stepMs !== null) writers[writer]!.step(stepMs);
        // All writers at once, one of them with more requests.
        const asking = [...writers, ...Array.from({ length: requests }, () => writers[writer]!)];
        for (const verdict of await Promise.all(asking.map((each) => each.ask(key)))) {
          if (verdict.outcome === 'unknown') throw new Error('The key is unknown');
          expect(verdict.rateLimit.retryAfterSeconds * 1_000).toBeLessThanOrEqual(longestMs);
          if (verdict.outcome === 'admitted') admitted.push(verdict);
        }
        const { tatMicros = 0 } = (await buckets.stored(key)) ?? {};
        expect(tatMicros / 1_000).toBeLessThanOrEqual(now() + longestMs);
      }
      const intervalMs = emissionIntervalMicros(bucketLimits) / 1_000;
      expect(surplusOf(admitted, bucketLimits.limit, intervalMs)).toBeLessThanOrEqual(
        SKEW_BOUND_MS / intervalMs,
      );

      pass(longestMs);
      for (let request = 0; request < bucketLimits.limit; request += 1) {
        expect(await writers[request % 3]!.ask(key)).toMatchObject({ outcome: 'admitted' });
      }
    });
    await fc.assert(property, { numRuns: 6 });
  });

  it.each([60_000, DAY_MS, -DAY_MS])(
    'admit 24 requests in a minute at 12 a minute, and lock no key: one clock is %i ms wrong',
    async (ms) => {
      const { now, pass, givenWriter } = givenWorld(5);
      const key = await buckets.givenKey({ limit: 12, windowSeconds: 60 });
      const [right, wrong] = [givenWriter(0), givenWriter(ms)];
      const endMs = now() + 60_000;
      const askAtOnce = async (writer: typeof right, requests: number): Promise<number> => {
        const asking = Array.from({ length: requests }, () => writer.ask(key));
        return (await Promise.all(asking)).filter(({ outcome }) => outcome === 'admitted').length;
      };
      let admitted = await askAtOnce(right, 12);
      for (pass(5_000); now() < endMs; pass(5_000)) admitted += await askAtOnce(right, 2);
      admitted += await askAtOnce(wrong, 14);
      expect(Math.abs(admitted - 24)).toBeLessThanOrEqual(1);

      for (const writer of [right, wrong, right]) {
        pass(65_000);
        expect(await writer.ask(key)).toMatchObject({ outcome: 'admitted', rateLimit: { remaining: 11 } });
      }
    },
  );
});
