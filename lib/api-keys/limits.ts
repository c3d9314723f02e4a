import type { BucketLimits } from './token-bucket.ts';

/** The default limits of a new key. */
export const DEFAULT_LIMITS: BucketLimits = { limit: 60, windowSeconds: 60 };

const WINDOW_SECONDS_MAX = 30 * 86_400;

/** DynamoDB accepts 1,000 writes a second to one item, and each request writes its key's item once. */
export const REQUESTS_PER_SECOND_MAX = 1_000;

/** Returns one sentence about why limits are invalid, or `undefined` if they are valid. */
export const rejectLimits = ({ limit, windowSeconds }: BucketLimits): string | undefined => {
  if (!Number.isInteger(limit) || limit < 1) return 'The limit must be a whole number of at least 1.';
  if (!Number.isInteger(windowSeconds) || windowSeconds < 1 || windowSeconds > WINDOW_SECONDS_MAX) {
    return `The window must be a whole number of seconds from 1 to ${WINDOW_SECONDS_MAX}.`;
  }
  if (limit > windowSeconds * REQUESTS_PER_SECOND_MAX) {
    return `A key can serve at most ${REQUESTS_PER_SECOND_MAX} requests a second: lower the limit or widen the window.`;
  }
  return undefined;
};
