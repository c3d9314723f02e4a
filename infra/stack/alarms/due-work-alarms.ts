import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { ERASURE_LAG_HOURS_MAX } from '../../../lib/timers/report-run.ts';
import type { Definitions } from './alarm.ts';
import { functionMetric, stageMetric, type Watched } from './metrics.ts';

/** The alarms on scheduled work: abandonments, later attempts of deliveries, erasures. */
export const dueWorkAlarms = (watched: Watched): Definitions => ({
  DueWorkFailures: {
    metric: functionMetric(watched, 'run-timers', 'Errors'),
    // A period has five runs. One slow run must not notify anybody.
    above: 2,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: runs of RunTimers fail.',
  },
  DueWorkLag: {
    metric: stageMetric(watched.name, 'DueLagSeconds', Stats.MAXIMUM),
    // A healthy stage handles what is due within two minutes.
    above: 10 * 60,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are retried late: runs of RunTimers do not keep up, or items fail.',
  },
  DueWorkAbsent: {
    metric: functionMetric(watched, 'run-timers', 'Invocations'),
    below: 1,
    periods: 3,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: RunTimers does not run.',
  },
  DueItemsFailing: {
    // An item that fails is tried again after 15 or 16 minutes, so each half an hour has a failure. Three of these have more
    // than a single failure and its repetition: those happen on healthy days.
    metric: stageMetric(watched.name, 'DueItemsFailed', Stats.SUM, Duration.minutes(30)),
    periods: 3,
    effect:
      'An abandonment, a repeated delivery or an erasure does not happen: items of RunTimers have failed again and again, for an hour.',
  },
  ErasureLag: {
    metric: stageMetric(watched.name, 'ErasureLagHours', Stats.MAXIMUM),
    above: ERASURE_LAG_HOURS_MAX,
    effect:
      "The stage keeps buyers' data more than a day longer than it promises: erasures of completed carts fail, or do not keep up. Merchants notice nothing.",
  },
});
