import { CLOCK_DIFFERENCE_MAX_MS } from '../core/clock.ts';

/** The limits of a token bucket: `limit` tokens, refilled evenly over `windowSeconds`. */
export interface BucketLimits {
  /** At least 1. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/**
 * A token bucket. Its state is one number: the theoretical arrival time (TAT) of the generic cell rate algorithm (ITU-T I.371). At
 * that time the bucket is full again. Each taken token moves the TAT one emission interval into the future.
 *
 * The TAT is in microseconds since the Unix epoch, an integer. Doubles hold it exactly until the year 2255.
 */
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

/** A time in microseconds, as a TAT is stored. */
export const microsOf = (timeMs: number): number => timeMs * 1_000;

/** Microseconds until one token returns. Rounding down would admit too many requests. */
export const emissionIntervalMicros = ({ limit, windowSeconds }: BucketLimits): number =>
  Math.ceil((windowSeconds * MICROS_PER_SECOND) / limit);

/** How far the TAT may be ahead of a request that takes a token: a full bucket minus that token. */
export const burstToleranceMicros = (limits: BucketLimits): number =>
  (limits.limit - 1) * emissionIntervalMicros(limits);

/** The TAT of a bucket that is emptied now. */
export const emptyTatMicros = (limits: BucketLimits, nowMs: number): number =>
  microsOf(nowMs) + limits.limit * emissionIntervalMicros(limits);

/**
 * Whether a bucket's TAT is further ahead than requests can move it, as after a write with a wrong clock. The writer's clock may
 * be ahead of the reader's.
 */
export const isPoisoned = (bucket: Bucket, nowMs: number): boolean =>
  bucket.tatMicros > emptyTatMicros(bucket, nowMs + CLOCK_DIFFERENCE_MAX_MS);

/** Whether a bucket has all its tokens. */
export const isFull = (bucket: Bucket, nowMs: number): boolean => bucket.tatMicros <= microsOf(nowMs);

/** Whether a bucket still holds a whole token. */
export const hasToken = (bucket: Bucket, nowMs: number): boolean =>
  bucket.tatMicros <= microsOf(nowMs) + burstToleranceMicros(bucket);

/**
 * The TAT of a bucket under new limits, which refund no tokens: a poisoned bucket becomes an empty one. A partly returned token
 * counts as taken. A full bucket stays full.
 */
export const carryOver = (bucket: Bucket, limits: BucketLimits, nowMs: number): number => {
  if (isFull(bucket, nowMs)) return bucket.tatMicros;
  const nowMicros = microsOf(nowMs);
  const taken = Math.min(
    Math.ceil((bucket.tatMicros - nowMicros) / emissionIntervalMicros(bucket)),
    limits.limit,
  );
  return nowMicros + taken * emissionIntervalMicros(limits);
};

/** The rate limit to report for a bucket. A poisoned one counts as just emptied. */
export const rateLimitAt = (bucket: Bucket, nowMs: number): RateLimit => {
  const { limit } = bucket;
  const nowMicros = microsOf(nowMs);
  const intervalMicros = emissionIntervalMicros(bucket);
  const tatMicros = isPoisoned(bucket, nowMs) ? emptyTatMicros(bucket, nowMs) : bucket.tatMicros;
  const missingMicros = Math.max(0, tatMicros - nowMicros);
  const waitMicros = tatMicros - burstToleranceMicros(bucket) - nowMicros;
  return {
    limit,
    remaining: Math.max(0, Math.floor((limit * intervalMicros - missingMicros) / intervalMicros)),
    resetAtSeconds: Math.ceil(Math.max(tatMicros, nowMicros) / MICROS_PER_SECOND),
    retryAfterSeconds: Math.max(0, Math.ceil(waitMicros / MICROS_PER_SECOND)),
  };
};
