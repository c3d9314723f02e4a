import type { BucketLimits } from '../token-bucket/token-bucket.ts';
import { KEY_REQUESTS_PER_SECOND_MAX } from './api-key.ts';

/** The default limits of a new key: 30 buyers at once, each polled every three seconds. */
export const DEFAULT_LIMITS: BucketLimits = { limit: 600, windowSeconds: 60 };

const WINDOW_SECONDS_MAX = 30 * 86_400;

/** The largest limits of one key. A stage allows less than DynamoDB: a part of its throttle. */
export interface KeyLimitsMax {
  readonly requestsPerSecond: number;
  /** The tokens in a full bucket, which a key can take at once. */
  readonly requestsAtOnce: number;
}

const ANY_STAGE: KeyLimitsMax = { requestsPerSecond: KEY_REQUESTS_PER_SECOND_MAX, requestsAtOnce: Infinity };

/**
 * Returns one sentence about why limits are invalid, or `undefined` if they are valid.
 *
 * @param max the largest limits on the key's stage, by default those of any stage
 */
export const limitsIssue = (
  { limit, windowSeconds }: BucketLimits,
  max: KeyLimitsMax = ANY_STAGE,
): string | undefined => {
  if (!Number.isInteger(limit) || limit < 1) return 'The limit must be a whole number of at least 1.';
  if (!Number.isInteger(windowSeconds) || windowSeconds < 1 || windowSeconds > WINDOW_SECONDS_MAX) {
    return `The window must be a whole number of seconds from 1 to ${WINDOW_SECONDS_MAX}.`;
  }
  if (limit > windowSeconds * max.requestsPerSecond) {
    return `A key can serve at most ${max.requestsPerSecond} requests a second: lower the limit or widen the window.`;
  }
  if (limit > max.requestsAtOnce) {
    return `A key can serve at most ${max.requestsAtOnce} requests at once on this stage: lower the limit.`;
  }
  return undefined;
};

/**
 * The default limit of a new key: that of {@link DEFAULT_LIMITS}, or less if the stage allows a key less.
 *
 * @param max the largest limits on the key's stage, by default those of any stage
 */
export const defaultLimit = (windowSeconds: number, max: KeyLimitsMax = ANY_STAGE): number => {
  const refilled = Math.floor(windowSeconds * max.requestsPerSecond);
  return Math.max(1, Math.min(DEFAULT_LIMITS.limit, refilled, max.requestsAtOnce));
};
