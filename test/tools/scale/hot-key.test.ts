import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import type { BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import { createRandom } from '../faults/load/random.ts';
import { givenStoredBuckets } from '../../support/bucket.ts';
import { createEnvironment, LEASE_MS } from './hot-key/environment.ts';
import { createKeyItem } from './hot-key/key-item.ts';
import { type HotKey, simulateHotKey } from './hot-key/simulation.ts';
import { emptyBucket, excessOf } from './support/buckets.ts';
import type { Process } from './support/timeline.ts';

const HOT_KEY: HotKey = {
  offeredPerSecond: 2_000,
  limits: { limit: 2_500, windowSeconds: 1 },
  batch: 10,
  retriesThrottled: false,
  environments: 0,
  warmUpSeconds: 0,
  seconds: 1,
  seed: 1,
};

const hotKeys = (batch: fc.Arbitrary<number>): fc.Arbitrary<HotKey> =>
  fc.record({
    offeredPerSecond: fc.integer({ min: 100, max: 2_500 }),
    limits: fc.record({
      limit: fc.integer({ min: 1, max: 3_000 }),
      windowSeconds: fc.integer({ min: 1, max: 3 }),
    }),
    batch,
    retriesThrottled: fc.boolean(),
    environments: fc.integer({ min: 0, max: 100 }),
    warmUpSeconds: fc.constant(0.4),
    seconds: fc.constant(0.8),
    seed: fc.integer(),
  });

const START_MS = 1_768_480_200_250;

/** A clock for processes that run one after the other, each as long as it takes. */
const givenClock = () => {
  let nowMs = START_MS;
  return {
    now: () => nowMs,
    wait: (ms: number) => {
      nowMs += ms;
    },
    finish<Result>(process: Process<Result>): Result {
      for (;;) {
        const step = process.next();
        if (step.done) return step.value;
        nowMs += step.value;
      }
    },
  };
};

/** Environments of the model, on one item and by one clock. */
const givenEnvironments = (
  count: number,
  { limits, batch, roundTripMs }: { limits: BucketLimits; batch: number; roundTripMs: number },
) => {
  const clock = givenClock();
  const item = createKeyItem(limits, clock.now);
  const random = createRandom(1);
  const options = { item, now: clock.now, random, roundTripMs, retriesThrottled: true, batch };
  const environments = Array.from({ length: count }, () => createEnvironment(options));
  return {
    clock,
    item,
    environments,
    ask: (index: number) => clock.finish(environments[index]!.admit()),
  };
};

describe('the judgement of admissions', () => {
  const limits = { limit: 10, windowSeconds: 1 };

  it('counts what came before its token', () => {
    expect(excessOf(limits, 0, [100, 200, 300])).toStrictEqual({ beyond: 0, burst: 0 });
    expect(excessOf(limits, 0, [100, 200, 299])).toStrictEqual({ beyond: 1, burst: 1 });
  });

  it('counts a burst that is larger than the bucket, though its tokens came back in time', () => {
    // After 20 s there were 200 tokens, but never more than 10 at once.
    const burst = Array.from({ length: 13 }, () => 20_000);
    expect(excessOf(limits, 0, burst)).toStrictEqual({ beyond: 0, burst: 3 });
  });
});

describe('leases', () => {
  it('never admit one request beyond the tokens that came back, under any load', () => {
    fc.assert(
      fc.property(hotKeys(fc.integer({ min: 1, max: 200 })), (hotKey) => {
        expect(simulateHotKey(hotKey).beyond).toBe(0);
      }),
      { numRuns: 25 },
    );
  });

  it('are spent from memory for a second, and then lost', () => {
    const { clock, item, environments, ask } = givenEnvironments(1, {
      limits: { limit: 100, windowSeconds: 1 },
      batch: 10,
      roundTripMs: 0,
    });
    clock.wait(10_000);
    // The first request learns the limits, the second takes the lease.
    const outcomes = [ask(0), ask(0)].map(({ outcome }) => outcome);
    clock.wait(LEASE_MS - 1);
    outcomes.push(ask(0).outcome);
    expect(outcomes).toStrictEqual(['admitted', 'admitted', 'admitted']);
    expect(item.used.writes).toBe(2);
    clock.wait(1);
    expect(environments[0]!.stranded()).toBe(8);
    expect(ask(0).outcome).toBe('admitted');
    expect(item.used.writes).toBe(3);
  });

  it('make a burst larger than the bucket by no more than the tokens of the second that they last', () => {
    const limits = { limit: 100, windowSeconds: 1 };
    const wave = fc.record({
      waitMs: fc.constantFrom(0, 100, 500, LEASE_MS - 1, LEASE_MS, 3_000),
      requests: fc.integer({ min: 1, max: 60 }),
    });
    let largest = 0;
    fc.assert(
      fc.property(fc.array(wave, { minLength: 5, maxLength: 20 }), (waves) => {
        const { clock, ask } = givenEnvironments(20, { limits, batch: 50, roundTripMs: 0 });
        const admittedAtMs: number[] = [];
        for (const { waitMs, requests } of waves) {
          clock.wait(waitMs);
          for (let request = 0; request < 20 * requests; request += 1) {
            const verdict = ask(request % 20);
            if (verdict.outcome === 'admitted') admittedAtMs.push(verdict.atMs);
          }
        }
        const { beyond, burst } = excessOf(limits, START_MS, admittedAtMs);
        expect(beyond).toBe(0);
        expect(burst).toBeLessThanOrEqual((limits.limit * LEASE_MS) / 1_000);
        largest = Math.max(largest, burst);
      }),
    );
    expect(largest).toBeGreaterThan(0);
  });

  it('serve a key that asks twice what its item takes in writes', () => {
    const [single, leased] = [1, 20].map((batch) => simulateHotKey({ ...HOT_KEY, batch, warmUpSeconds: 1 }));
    expect(single!.writes).toBeLessThanOrEqual(1_000);
    expect(single!.admitted).toBeLessThan(0.5 * single!.allowed);
    expect(leased!.writes).toBeLessThan(0.25 * single!.writes);
    expect(leased!.admitted).toBeGreaterThan(0.95 * leased!.allowed);
  });
});

describe('a batch of one', () => {
  it('keeps the limit in every interval, of any length', () => {
    fc.assert(
      fc.property(hotKeys(fc.constant(1)), (hotKey) => {
        expect(simulateHotKey(hotKey)).toMatchObject({ beyond: 0, burst: 0, stranded: 0 });
      }),
      { numRuns: 30 },
    );
  });

  const ROUND_TRIP_MS = 20;

  /** Some environments of the service and of the model; a call takes both as long. */
  const givenBoth = async (limits: BucketLimits, count: number) => {
    const model = givenEnvironments(count, { limits, batch: 1, roundTripMs: ROUND_TRIP_MS });
    const clock = givenClock();
    const stored = await givenStoredBuckets();
    const key = await stored.givenKey(limits, { tatMicros: emptyBucket(limits, clock.now()).tatMicros });
    const used = { writes: 0, reads: 0 };
    stored.documents.middlewareStack.add(
      (next, { commandName }) =>
        async (call) => {
          used[String(commandName).startsWith('Update') ? 'writes' : 'reads'] += 1;
          clock.wait(ROUND_TRIP_MS / 2);
          try {
            return await next(call);
          } finally {
            clock.wait(ROUND_TRIP_MS / 2);
          }
        },
      { step: 'initialize', name: 'count-and-take-time' },
    );
    const authenticators = Array.from({ length: count }, () =>
      createAuthenticator({ bucket: stored.bucket, now: clock.now }),
    );
    return {
      wait: (ms: number) => {
        model.clock.wait(ms);
        clock.wait(ms);
      },
      askService: async (index: number) => {
        const authenticator = authenticators[index]!;
        const { outcome } = authenticator.recall(key.secret) ?? (await authenticator.admit(key.secret));
        return { isAdmitted: outcome === 'admitted', used: { ...used }, atMs: clock.now() };
      },
      askModel: (index: number) => {
        const { outcome } = model.ask(index);
        return {
          isAdmitted: outcome === 'admitted',
          used: { ...model.item.used },
          atMs: model.clock.now(),
        };
      },
    };
  };

  it.each([
    { limit: 10, windowSeconds: 1, asksByRead: false },
    { limit: 3, windowSeconds: 1, asksByRead: false },
    // A token every six seconds: an environment that remembers a denial for one asks again by a read.
    { limit: 5, windowSeconds: 30, asksByRead: true },
  ])(
    'decides as the service does, by as many writes and reads: $limit per $windowSeconds s',
    async ({ asksByRead, ...limits }) => {
      const { wait, askService, askModel } = await givenBoth(limits, 3);
      const random = createRandom(limits.limit);
      const decisions = [];
      for (let request = 0; request < 150; request += 1) {
        // Often at once, sometimes after a while.
        wait(5 + Math.floor(random.next() * (random.chance(0.1) ? 3_000 : 10)));
        const environment = Math.floor(random.next() * 3);
        const decision = await askService(environment);
        expect(askModel(environment), `request ${request}`).toStrictEqual(decision);
        decisions.push(decision);
      }
      const admitted = decisions.filter(({ isAdmitted }) => isAdmitted).length;
      expect(admitted).toBeGreaterThan(2);
      expect(admitted).toBeLessThan(120);
      expect(decisions.some(({ used }) => used.reads > 0)).toBe(asksByRead);
    },
  );
});

describe('the simulation', () => {
  it('repeats itself exactly by its seed, and by no other', () => {
    expect(simulateHotKey(HOT_KEY)).toStrictEqual(simulateHotKey(HOT_KEY));
    expect(simulateHotKey({ ...HOT_KEY, seed: 2 })).not.toStrictEqual(simulateHotKey(HOT_KEY));
  });

  it('counts nothing of the warm-up', () => {
    const whole = simulateHotKey({ ...HOT_KEY, seconds: 2 });
    const [first, second] = [0, 1].map((warmUpSeconds) => simulateHotKey({ ...HOT_KEY, warmUpSeconds }));
    for (const name of ['writes', 'allowed', 'admitted', 'throttled'] as const) {
      expect(first![name] + second![name], name).toBe(whole[name]);
    }
  });

  it('judges every rule by the same requests', () => {
    const allowed = [1, 10, 100].map((batch) => simulateHotKey({ ...HOT_KEY, batch }).allowed);
    expect(new Set(allowed).size).toBe(1);
  });
});
