import { type Bucket, type BucketLimits, takeToken } from '../../../../lib/api-keys/token-bucket.ts';
import { createRandom } from '../../faults/load/random.ts';
import { ROUND_TRIP_MS } from '../measured.ts';
import { arrivals } from '../support/arrivals.ts';
import { createIdealBucket, emptyBucket, type Excess, excessOf } from '../support/buckets.ts';
import { createTimeline, type Process, type Timeline } from '../support/timeline.ts';

/** Assumed: a call to the other region, and back. */
const CROSS_REGION_MS = 70;

/** Published: a global table replicates "typically within a second". */
const REPLICATION_MS = 1_000;

/** One of two regions. */
type Region = 0 | 1;

/** How one key's tokens are given in two regions: whether a request that arrives in one is admitted. */
type Scheme = (limits: BucketLimits, timeline: Timeline) => (region: Region) => Process<boolean>;

const nowMsOf = (timeline: Timeline): number => Math.floor(timeline.nowMs());

/** A bucket in each region, each of half the limit. */
const splitHalves: Scheme = ({ limit, windowSeconds }, timeline) => {
  const half = { limit: limit / 2, windowSeconds };
  const buckets = [
    createIdealBucket(half, timeline.nowMs()),
    createIdealBucket(half, timeline.nowMs()),
  ] as const;
  return function* admit(region) {
    yield ROUND_TRIP_MS;
    return buckets[region].take(nowMsOf(timeline));
  };
};

/** One bucket, in region 0; a request that arrives in region 1 asks there. */
const homeRegion: Scheme = (limits, timeline) => {
  const bucket = createIdealBucket(limits, timeline.nowMs());
  return function* admit(region) {
    yield region === 0 ? ROUND_TRIP_MS : CROSS_REGION_MS;
    return bucket.take(nowMsOf(timeline));
  };
};

/** One item of a global table: each region writes its replica, and the last write of both wins, a second later. */
const lastWriterWins: Scheme = (limits, timeline) => {
  const created = { bucket: emptyBucket(limits, timeline.nowMs()), writtenAtMs: timeline.nowMs() };
  const replicas: [typeof created, typeof created] = [created, created];

  function* replicate(to: Region, written: { bucket: Bucket; writtenAtMs: number }): Process {
    yield REPLICATION_MS;
    if (written.writtenAtMs > replicas[to].writtenAtMs) replicas[to] = written;
  }

  return function* admit(region) {
    yield ROUND_TRIP_MS;
    const { bucket } = replicas[region];
    const tatMicros = takeToken(bucket, nowMsOf(timeline) * 1_000);
    if (tatMicros === undefined) return false;
    const written = { bucket: { ...bucket, tatMicros }, writtenAtMs: timeline.nowMs() };
    replicas[region] = written;
    timeline.start(replicate(region === 0 ? 1 : 0, written));
    return true;
  };
};

export const SCHEMES = {
  'half of the limit each': splitHalves,
  'a home region': homeRegion,
  'last writer wins': lastWriterWins,
} as const satisfies Record<string, Scheme>;

export type SchemeName = keyof typeof SCHEMES;

/** One key that is used in two regions. */
export interface TwoRegions {
  readonly scheme: SchemeName;
  readonly limits: BucketLimits;
  readonly offeredPerSecond: number;
  /** The share of requests that arrives in the first region, which is also the home region. */
  readonly firstShare: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What came of it: totals of the run. */
export interface TwoRegionsResult extends Excess {
  /** What one bucket in one place, asked without delay, admits of the same requests. */
  readonly allowed: number;
  readonly admitted: number;
  /** Milliseconds that a decision takes. */
  readonly meanMs: number;
}

const START_MS = Date.UTC(2026, 10, 21);

/** Simulates a key's requests in two regions; the same seed gives the same result. */
export const simulateTwoRegions = (options: TwoRegions): TwoRegionsResult => {
  const { scheme, limits, offeredPerSecond, firstShare, seconds, seed } = options;
  const random = createRandom(seed);
  const timeline = createTimeline(START_MS);
  const ideal = createIdealBucket(limits, START_MS);
  const admit = SCHEMES[scheme](limits, timeline);
  const admittedAtMs: number[] = [];
  let decided = 0;
  let waitedMs = 0;

  function* request(): Process {
    const arrivedAtMs = timeline.nowMs();
    ideal.take(nowMsOf(timeline));
    const isAdmitted = yield* admit(random.chance(firstShare) ? 0 : 1);
    if (isAdmitted) admittedAtMs.push(nowMsOf(timeline));
    decided += 1;
    waitedMs += timeline.nowMs() - arrivedAtMs;
  }

  timeline.start(arrivals(timeline, { perSecond: offeredPerSecond, random }, request));
  timeline.run(START_MS + seconds * 1_000);
  return {
    ...excessOf(limits, START_MS, admittedAtMs),
    allowed: ideal.admitted(),
    admitted: admittedAtMs.length,
    meanMs: waitedMs / decided,
  };
};
