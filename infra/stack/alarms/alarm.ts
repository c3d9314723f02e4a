import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { FunctionName } from '../../../functions/function-needs.ts';
import { functionMetric, type Watched } from './metrics.ts';

/** An alarm, as a row of a table in this folder. */
export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm goes off above this value. Default: 0 */
  readonly above?: number;
  /** The alarm goes off below this value instead. A missing value then counts as zero. */
  readonly below?: number;
  /** The last periods of the metric, five minutes unless it states another. Default: 1 */
  readonly periods?: number;
  /** How many of these must be above or below the value. Default: all */
  readonly breaching?: number;
  /** The effect on merchants, in one sentence. The runbook has the rest. */
  readonly effect: string;
}

export type Definitions = Readonly<Record<string, AlarmDefinition>>;

/** A healthy operation, and a healthy new version, fails far less. */
export const SERVER_ERROR_RATE_MAX = 0.01;

/** A short disturbance at the border of two periods counts in both. One that lasts counts in all three. */
export const LASTING_PERIODS = 3;

/** The alarm on crashes, time limits and lacks of memory of a function, whose log lines then show nothing. */
export const errorsOf = (watched: Watched, functionName: FunctionName, effect: string): AlarmDefinition => ({
  metric: functionMetric(watched, functionName, 'Errors'),
  periods: LASTING_PERIODS,
  effect,
});

/**
 * Adds an alarm. Its description has its effect, and its section of `docs/runbook.md` in the repository. It does not use
 * `-c docsUrl`, because the runbook is not for merchants.
 *
 * @param section the heading of the section
 * @param more further properties
 */
export const addAlarm = (
  scope: Construct,
  id: string,
  { metric, above = 0, below, periods = 1, breaching, effect }: AlarmDefinition,
  section = id,
  more: Partial<AlarmProps> = {},
): Alarm =>
  new Alarm(scope, id, {
    metric,
    threshold: below ?? above,
    evaluationPeriods: periods,
    ...(breaching !== undefined && { datapointsToAlarm: breaching }),
    comparisonOperator:
      below === undefined
        ? ComparisonOperator.GREATER_THAN_THRESHOLD
        : ComparisonOperator.LESS_THAN_THRESHOLD,
    // A stage or a version without requests is healthy, unless the alarm is about their absence.
    treatMissingData: below === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
    alarmDescription: `${effect} Runbook: docs/runbook.md#${section.toLowerCase()}`,
    ...more,
  });
