import { HTTP_FUNCTION_NAMES } from '../../../functions/function-needs.ts';
import { PRODUCTION } from '../../stage/stage-name.ts';

/** Production has an alarm on three metrics for the new version of each function behind the gateway. */
const ROLLOUT_ALARMS_USD = 0.3 * HTTP_FUNCTION_NAMES.length;

/** Dollars a month of a stage without requests: `docs/cost.md`, "An unused stage". A test compares them with the model. */
const USD = { production: 20.55 + ROLLOUT_ALARMS_USD, branch: 4.64, canary: 1.05, dashboard: 3 } as const;

/**
 * The dollars that a stage costs in a month without requests and data.
 *
 * @param outputs the names of its stack's outputs
 */
export const unusedStageUsd = (stage: string, outputs: ReadonlySet<string | undefined>): number =>
  stage === PRODUCTION
    ? USD.production
    : USD.branch +
      (outputs.has('HasCanary') ? USD.canary : 0) +
      (outputs.has('DashboardName') ? USD.dashboard : 0);
