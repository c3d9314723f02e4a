import { type KeyLimitsMax, rejectLimits } from '../../../lib/api-keys/limits.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import { counted } from '../../counted.ts';
import { OperatorError } from '../../operator-error.ts';
import { LOCAL_KEY_LIMITS_MAX } from '../../stages.ts';
import type { Stage } from '../stage.ts';

/** The largest limits of a key on a stage. Absent if the release of the stage has no such bound. */
export const limitsMaxOf = ({ outputs }: Pick<Stage, 'outputs'>): KeyLimitsMax | undefined => {
  if (!outputs) return LOCAL_KEY_LIMITS_MAX;
  const { KeyRequestsPerSecondMax: perSecond, KeyRequestsAtOnceMax: atOnce } = outputs;
  if (perSecond === undefined || atOnce === undefined) return undefined;
  return { requestsPerSecond: Number(perSecond), requestsAtOnce: Number(atOnce) };
};

/**
 * Rejects limits that no key may have on a stage.
 *
 * @throws OperatorError with one sentence
 */
export const assertStageLimits = (limits: BucketLimits, stage: Stage): void => {
  const rejection = rejectLimits(limits, limitsMaxOf(stage));
  if (rejection !== undefined) throw new OperatorError(rejection);
};

export const describeLimits = ({ limit, windowSeconds }: BucketLimits): string =>
  `${counted(limit, 'request')} per ${windowSeconds} s`;

/** The sentence about a key with larger limits than its stage now allows, or `undefined`. Such a key keeps working. */
export const describeExcess = (key: StoredApiKey, stage: Stage): string | undefined => {
  const max = limitsMaxOf(stage);
  return max && rejectLimits(key, max) !== undefined
    ? `The key ${key.keyId} has ${describeLimits(key)}. This stage now allows a key ${max.requestsPerSecond} a second and ${max.requestsAtOnce} at once: lower it with \`keys set-limit\`.`
    : undefined;
};
