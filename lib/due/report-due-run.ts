import { count, countCarts, logger } from '../core/telemetry.ts';
import type { DueRun } from './run-due.ts';

/** Work is in time within two minutes. */
const IN_TIME_SECONDS = 120;

/**
 * Logs and counts the work of a run. An idle run writes nothing, and a run in time counts no lag, because a metric costs money
 * in each hour in which it has a value.
 */
export const reportDueRun = ({ handled, failed, abandoned, lagMs, isComplete }: DueRun): void => {
  if (abandoned.live > 0) countCarts('CartsAbandoned', 'live', abandoned.live);
  if (failed > 0) count('DueEntriesFailed', failed);
  if (handled + failed === 0 && isComplete) return;
  const lagSeconds = Math.ceil(lagMs / 1_000);
  if (lagSeconds > IN_TIME_SECONDS) count('DueLagSeconds', lagSeconds);
  logger.info('due run', { handled, failed, abandoned, lagSeconds, isComplete });
};
