import { count, countCarts, logger } from '../telemetry.ts';
import type { DueRun } from './run-due.ts';

/** Logs and counts what a run did. An idle run writes nothing, so that it costs nothing. */
export const reportDueRun = ({ handled, failed, abandoned, lagMs, isComplete }: DueRun): void => {
  if (abandoned.live > 0) countCarts('CartsAbandoned', 'live', abandoned.live);
  if (abandoned.test > 0) countCarts('CartsAbandoned', 'test', abandoned.test);
  if (failed > 0) count('DueEntriesFailed', failed);
  if (handled + failed === 0 && isComplete) return;
  const lagSeconds = Math.ceil(lagMs / 1_000);
  count('DueLagSeconds', lagSeconds);
  logger.info('due run', { handled, failed, abandoned, lagSeconds, isComplete });
};
