/**
 * The limits of a token bucket: `limit` tokens, refilled evenly over `windowSeconds`. The bucket's state is one number,
 * the theoretical arrival time (TAT) of the generic cell rate algorithm (ITU-T I.371). At that time the bucket is full
 * again. Each taken token moves it one emission interval into the future.
 *
 * All times are integer microseconds since the Unix epoch, exact as doubles until the year 2255.
 */
export interface BucketLimits {
  /** Tokens in a full bucket, at least 1. */
  readonly limit: number;
  /** Seconds in which an empty bucket becomes full. */
  readonly windowSeconds: number;
}

/** A token bucket: its limits and its theoretical arrival time. */
export interface Bucket extends BucketLimits {
  readonly tatMicros: number;
}

/** The values of the `X-RateLimit-*` and `Retry-After` headers (`docs/contract.md`, "Limits"). */
export interface RateLimit {
  readonly limit: number;
  /** Whole tokens left after this request. */
  readonly remaining: number;
  /** Unix time, in seconds, at which the bucket is full again. */
  readonly resetAtSeconds: number;
  /** Seconds until the next token: at least 1 if the bucket is empty, else 0. */
  readonly retryAfterSeconds: number;
}

const MICROS_PER_SECOND = 1_000_000;

/** Microseconds until one token comes back. Rounded up: rounding never admits one request too many. */
export const emissionIntervalMicros = ({ limit, windowSeconds }: BucketLimits): number =>
  Math.ceil((windowSeconds * MICROS_PER_SECOND) / limit);

/** How far the TAT may lie ahead of a request that takes a token: a full bucket less that token. */
export const burstToleranceMicros = (limits: BucketLimits): number =>
  (limits.limit - 1) * emissionIntervalMicros(limits);

/** Whether a bucket still holds a whole token. */
export const hasToken = (bucket: Bucket, nowMicros: number): boolean =>
  bucket.tatMicros <= nowMicros + burstToleranceMicros(bucket);

/** The TAT after one token is taken; `undefined` if there is none. The stored bucket's two updates do the same. */
export const takeToken = (bucket: Bucket, nowMicros: number): number | undefined =>
  hasToken(bucket, nowMicros)
    ? Math.max(bucket.tatMicros, nowMicros) + emissionIntervalMicros(bucket)
    : undefined;

/**
 * The TAT of a bucket under new limits. Taken tokens stay taken, up to the new limit, and so does a token that is partly
 * back. A full bucket stays full.
 */
export const carryOver = (bucket: Bucket, limits: BucketLimits, nowMicros: number): number => {
  const missingMicros = bucket.tatMicros - nowMicros;
  if (missingMicros <= 0) return bucket.tatMicros;
  const taken = Math.min(Math.ceil(missingMicros / emissionIntervalMicros(bucket)), limits.limit);
  return nowMicros + taken * emissionIntervalMicros(limits);
};

/** The rate limit to report for a bucket. */
export const describeBucket = (bucket: Bucket, nowMicros: number): RateLimit => {
  const { limit, tatMicros } = bucket;
  const intervalMicros = emissionIntervalMicros(bucket);
  const missingMicros = Math.max(0, tatMicros - nowMicros);
  const waitMicros = tatMicros - burstToleranceMicros(bucket) - nowMicros;
  return {
    limit,
    remaining: Math.max(0, Math.floor((limit * intervalMicros - missingMicros) / intervalMicros)),
    resetAtSeconds: Math.ceil(Math.max(tatMicros, nowMicros) / MICROS_PER_SECOND),
    retryAfterSeconds: Math.max(0, Math.ceil(waitMicros / MICROS_PER_SECOND)),
  };
};
