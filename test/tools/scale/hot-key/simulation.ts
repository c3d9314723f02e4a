import type { BucketLimits } from '../../../../lib/api-keys/token-bucket.ts';
import { createRandom, type Random } from '../../faults/load/random.ts';
import { CONCURRENT_EXECUTIONS } from '../load/quotas.ts';
import { functionCpuMs, OPERATIONS, ROUND_TRIP_MS } from '../measured.ts';
import { arrivals } from '../support/arrivals.ts';
import { createIdealBucket, type Excess, excessOf } from '../support/buckets.ts';
import { createTimeline, type Process } from '../support/timeline.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { createKeyItem } from './key-item.ts';

/** One API key under load. */
export interface HotKey {
  readonly offeredPerSecond: number;
  readonly limits: BucketLimits;
  /** Tokens taken in one write, at most. */
  readonly batch: number;
  readonly retriesThrottled: boolean;
  /** Environments that are there at the start; where all are busy, another starts. */
  readonly environments: number;
  /** How long it runs before anything is counted: every environment asks for a first time. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What came of some time. */
export interface HotKeyCounts {
  /** Units of the key's item. */
  readonly writes: number;
  readonly reads: number;
  /** What one bucket in one place, asked without delay, admits of the same requests. */
  readonly allowed: number;
  readonly admitted: number;
  /** Answered 429 because the item was throttled. */
  readonly throttled: number;
  /** Answered 503 because the account's executions were all busy. */
  readonly crowdedOut: number;
  /** Tokens that ended with their lease. */
  readonly stranded: number;
}

/** What came of it after the warm-up; `beyond` and `burst` are those of the whole run. */
export interface HotKeyResult extends HotKeyCounts, Excess {
  /** Environments that were there at the end. */
  readonly environments: number;
}

/** Any moment: the clocks of all environments agree. */
const START_MS = Date.UTC(2026, 10, 21);

/** An idle environment is any of them: nothing is published about which one Lambda takes. */
const createPool = (random: Random, count: number, create: () => Environment) => {
  const all = Array.from({ length: count }, create);
  const idle = [...all];
  return {
    all,
    /** An idle environment, a new one where none is, or nothing where the account may have no more. */
    take(): Environment | undefined {
      const last = idle.pop();
      if (last === undefined) {
        if (all.length === CONCURRENT_EXECUTIONS) return undefined;
        const started = create();
        all.push(started);
        return started;
      }
      const at = Math.floor(random.next() * (idle.length + 1));
      const picked = idle[at] ?? last;
      if (at < idle.length) idle[at] = last;
      return picked;
    },
    release(environment: Environment): void {
      idle.push(environment);
    },
  };
};

const difference = (after: HotKeyCounts, before: HotKeyCounts): HotKeyCounts => ({
  writes: after.writes - before.writes,
  reads: after.reads - before.reads,
  allowed: after.allowed - before.allowed,
  admitted: after.admitted - before.admitted,
  throttled: after.throttled - before.throttled,
  crowdedOut: after.crowdedOut - before.crowdedOut,
  stranded: after.stranded - before.stranded,
});

/** Simulates retrievals with one API key; the same seed gives the same result. */
export const simulateHotKey = (hotKey: HotKey): HotKeyResult => {
  const { offeredPerSecond, limits, environments, warmUpSeconds, seconds, seed } = hotKey;
  // Of its own, so that every rule is judged by the same requests.
  const arrivalsRandom = createRandom(seed);
  const random = createRandom(seed + 1);
  const timeline = createTimeline(START_MS);
  const now = (): number => Math.floor(timeline.nowMs());
  const item = createKeyItem(limits, now);
  const ideal = createIdealBucket(limits, START_MS);
  const pool = createPool(random, environments, () =>
    createEnvironment({ ...hotKey, item, now, random, roundTripMs: ROUND_TRIP_MS }),
  );
  const admittedAtMs: number[] = [];
  let throttled = 0;
  let crowdedOut = 0;

  function* retrieve(): Process {
    const arrivedAtMs = timeline.nowMs();
    ideal.take(now());
    const environment = pool.take();
    if (!environment) {
      crowdedOut += 1;
      return;
    }
    const verdict = yield* environment.admit();
    if (verdict.outcome === 'throttled') throttled += 1;
    if (verdict.outcome === 'admitted') {
      admittedAtMs.push(verdict.atMs);
      // The cart is read beside the token.
      yield Math.max(0, arrivedAtMs + ROUND_TRIP_MS - timeline.nowMs());
    }
    yield functionCpuMs(OPERATIONS.retrieve);
    pool.release(environment);
  }

  timeline.start(arrivals(timeline, { perSecond: offeredPerSecond, random: arrivalsRandom }, retrieve));
  const counts = (): HotKeyCounts => ({
    ...item.used,
    allowed: ideal.admitted(),
    admitted: admittedAtMs.length,
    throttled,
    crowdedOut,
    stranded: pool.all.reduce((sum, environment) => sum + environment.stranded(), 0),
  });
  const startedAtMs = START_MS + warmUpSeconds * 1_000;
  timeline.run(startedAtMs);
  const before = counts();
  timeline.run(startedAtMs + seconds * 1_000);
  return {
    ...difference(counts(), before),
    ...excessOf(limits, START_MS, admittedAtMs),
    environments: pool.all.length,
  };
};
