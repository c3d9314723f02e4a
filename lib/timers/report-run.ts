import { ERASURE_LAG_HOURS_MAX } from '../core/metric-names.ts';
import { count, logger } from '../core/telemetry.ts';
import type { LagMetric, WorkResult, TimerWork } from './run-timers.ts';

/** The unit of each metric, and the lag up to which the work is in time. */
const LAGS: Readonly<Record<LagMetric, { readonly unitMs: number; readonly inTime: number }>> = {
  DueLagSeconds: { unitMs: 1_000, inTime: 120 },
  ErasureLagHours: { unitMs: 3_600_000, inTime: ERASURE_LAG_HOURS_MAX },
};

/**
 * Logs and counts the work of a run. An idle run writes nothing, and a run in time counts no lag, because a metric costs money
 * in each hour in which it has a value.
 */
export const reportRun = (
  { name, lagMetric }: Pick<TimerWork, 'name' | 'lagMetric'>,
  { handled, failed, lagMs, isComplete }: WorkResult,
): void => {
  const { unitMs, inTime } = LAGS[lagMetric];
  const lag = Math.ceil(lagMs / unitMs);
  if (lag > inTime) count(lagMetric, lag);
  if (failed > 0) count('DueItemsFailed', failed);
  if (handled + failed === 0 && isComplete) return;
  logger.info('timers', { work: name, handled, failed, lagSeconds: Math.ceil(lagMs / 1_000), isComplete });
};
