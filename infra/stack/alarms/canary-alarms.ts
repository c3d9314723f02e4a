import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Definitions } from './alarm.ts';

/** The alarms on the canary. */
export const canaryAlarms = (canary: IFunction): Definitions => ({
  CanaryFailures: {
    metric: canary.metricErrors({ statistic: Stats.SUM }),
    // A period has five runs.
    above: 2,
    effect: 'Merchants probably cannot create or retrieve carts: the canary cannot.',
  },
  CanaryAbsent: {
    metric: canary.metricInvocations({ statistic: Stats.SUM }),
    below: 1,
    periods: 3,
    effect: 'Nobody would notice an outage at night: the canary does not run.',
  },
});
