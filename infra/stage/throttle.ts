import { KEY_REQUESTS_PER_SECOND_MAX } from '../../lib/api-keys/api-key.ts';
import type { KeyLimitsMax } from '../../lib/api-keys/key-limits.ts';
import { wholeNumber } from './read-context-value.ts';
import type { StageContext } from './stage-context.ts';

/** Requests that the gateway accepts. */
export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/**
 * One key may use one of these parts of its stage's throttle: a fifth of the rate, so that four others can be as busy, and
 * half of the burst, which the gateway regains within a second.
 */
const KEY_PARTS = { rate: 5, burst: 2 } as const;

/** The largest limits of one key of a stage. */
export const keyLimitsMax = ({ requestsPerSecond, burst }: Throttle): KeyLimitsMax => ({
  requestsPerSecond: Math.min(requestsPerSecond / KEY_PARTS.rate, KEY_REQUESTS_PER_SECOND_MAX),
  requestsAtOnce: Math.floor(burst / KEY_PARTS.burst),
});

/** Above this, an account needs a larger quota than AWS grants on request. */
const REQUESTS_PER_SECOND_MAX = 100_000;

const throttleAt = (requestsPerSecond: number): Throttle => ({
  requestsPerSecond,
  burst: 2 * requestsPerSecond,
});

const PRODUCTION_THROTTLE = throttleAt(1_000);

/** The largest limits of a key on the local stage: as in production by default. */
export const LOCAL_KEY_LIMITS_MAX = keyLimitsMax(PRODUCTION_THROTTLE);

export const throttleOf = (context: StageContext, isProduction: boolean): Throttle => {
  const given = wholeNumber(context, 'requestsPerSecond', { min: 1, max: REQUESTS_PER_SECOND_MAX });
  if (given !== undefined) return throttleAt(given);
  return isProduction ? PRODUCTION_THROTTLE : throttleAt(100);
};

/** Dollars of a million creations behind the firewall. `infra/cost` computes them, which imports this folder: a test compares. */
const USD_PER_MILLION = 6.71;

/** The cost of the requests of one key that uses its whole share of the throttle, all day. Normal days should cost less. */
export const defaultBudgetUsd = ({ requestsPerSecond }: Throttle): number =>
  Math.ceil((86_400 * requestsPerSecond * USD_PER_MILLION) / KEY_PARTS.rate / 1e6);
