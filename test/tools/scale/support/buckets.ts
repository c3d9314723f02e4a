import {
  type Bucket,
  type BucketLimits,
  emissionIntervalMicros,
  takeToken,
} from '../../../../lib/api-keys/token-bucket.ts';

/** A bucket without a token: every simulation starts from one, so that no run lives off what was saved before it. */
export const emptyBucket = (limits: BucketLimits, nowMs: number): Bucket => ({
  ...limits,
  tatMicros: nowMs * 1_000 + limits.limit * emissionIntervalMicros(limits),
});

/** Takes some tokens or none: the new TAT, or `undefined` where there are not so many. */
export const takeTokens = (bucket: Bucket, count: number, nowMs: number): number | undefined => {
  let tatMicros: number | undefined = bucket.tatMicros;
  for (let taken = 0; taken < count && tatMicros !== undefined; taken += 1) {
    tatMicros = takeToken({ ...bucket, tatMicros }, nowMs * 1_000);
  }
  return tatMicros;
};

/** A bucket in one place that everybody asks without delay: what the others are compared with. */
export const createIdealBucket = (limits: BucketLimits, startMs: number) => {
  let bucket = emptyBucket(limits, startMs);
  let admitted = 0;
  return {
    take(nowMs: number): boolean {
      const tatMicros = takeTokens(bucket, 1, nowMs);
      if (tatMicros === undefined) return false;
      bucket = { ...bucket, tatMicros };
      admitted += 1;
      return true;
    },
    admitted: () => admitted,
  };
};

/** How far some admissions went beyond what a bucket may admit, in requests. */
export interface Excess {
  /** Beyond the tokens that came back since the start, at the worst moment. */
  readonly beyond: number;
  /** Beyond a full bucket and the tokens that came back, in the worst interval of any length. */
  readonly burst: number;
}

/**
 * Judges admissions by their times alone, apart from the code that admitted them.
 *
 * @param admittedAtMs in any order
 */
export const excessOf = (limits: BucketLimits, startMs: number, admittedAtMs: readonly number[]): Excess => {
  const intervalMicros = emissionIntervalMicros(limits);
  const fullMicros = limits.limit * intervalMicros;
  let beyond = 0;
  let burst = 0;
  let tatMicros = startMs * 1_000 + fullMicros;
  for (const [index, atMs] of Float64Array.from(admittedAtMs).toSorted().entries()) {
    const given = Math.floor(((atMs - startMs) * 1_000) / intervalMicros);
    beyond = Math.max(beyond, index + 1 - given);
    tatMicros = Math.max(tatMicros, atMs * 1_000) + intervalMicros;
    burst = Math.max(burst, Math.ceil((tatMicros - atMs * 1_000 - fullMicros) / intervalMicros));
  }
  return { beyond, burst };
};
