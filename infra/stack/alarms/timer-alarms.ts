import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { ERASURE_LAG_HOURS_MAX } from '../../../lib/timers/report-run.ts';
import type { Definitions } from './alarm.ts';
import { functionMetric, stageMetric, type Watched } from './metrics.ts';

/** The alarms on timers: abandonments, later attempts of deliveries, erasures. */
export const timerAlarms = (watched: Watched): Definitions => ({
  RunTimersFailures: {
    metric: functionMetric(watched, 'run-timers', 'Errors'),
    // A period has five runs. One slow run must not notify anybody.
    above: 2,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: runs of RunTimers fail.',
  },
  TimerLag: {
    metric: stageMetric(watched.name, 'TimerLagSeconds', Stats.MAXIMUM),
    // A healthy stage handles what is due within two minutes.
    above: 10 * 60,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are retried late: runs of RunTimers do not keep up, or items fail.',
  },
  RunTimersAbsent: {
    metric: functionMetric(watched, 'run-timers', 'Invocations'),
    below: 1,
    periods: 3,
    effect:
      'Merchants learn late of abandoned carts, and failed deliveries are not retried: RunTimers does not run.',
  },
  FailingTimers: {
    // An item that fails is tried again after 15 or 16 minutes, so each half an hour has a failure. Three of these have more
    // than a single failure and its repetition: those happen on healthy days.
    metric: stageMetric(watched.name, 'TimersFailed', Stats.SUM, Duration.minutes(30)),
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
