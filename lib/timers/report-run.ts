import { HOUR_MS } from '../core/durations.ts';
import { logger } from '../telemetry/logger.ts';
import { recordStageMetric } from '../telemetry/metrics.ts';
import type { JobResult } from './run-job.ts';
import type { LagMetric, TimerJob } from './timer-job.ts';

/** Above this, `ErasureLagHours` has a value, and the alarm `ErasureLag` goes off. A day of millions of carts takes hours. */
export const ERASURE_LAG_HOURS_MAX = 24;

/** The unit of each metric, and the lag up to which a job is in time. */
const LAGS: Readonly<Record<LagMetric, { readonly unitMs: number; readonly inTime: number }>> = {
  TimerLagSeconds: { unitMs: 1_000, inTime: 120 },
  ErasureLagHours: { unitMs: HOUR_MS, inTime: ERASURE_LAG_HOURS_MAX },
};

/**
 * Logs and counts a job of a run. An idle run writes nothing, and a run in time counts no lag, because a metric costs money
 * in each hour in which it has a value.
 */
export const reportRun = (
  { name, lagMetric }: Pick<TimerJob, 'name' | 'lagMetric'>,
  { handled, failed, lagMs, isComplete }: JobResult,
): void => {
  const { unitMs, inTime } = LAGS[lagMetric];
  const lag = Math.ceil(lagMs / unitMs);
  if (lag > inTime) recordStageMetric(lagMetric, lag);
  if (failed > 0) recordStageMetric('TimersFailed', failed);
  if (handled + failed === 0 && isComplete) return;
  logger.info('timers', { job: name, handled, failed, lagSeconds: Math.ceil(lagMs / 1_000), isComplete });
};
