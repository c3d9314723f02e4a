import { describeFailure } from '../telemetry/failure.ts';
import { logger } from '../telemetry/logger.ts';
import type { TimerJob } from './timer-job.ts';
import type { DueItem } from './timer-repository.ts';

/** The parts of a job that {@link postponeFailed} needs. */
export type PostponingJob = Pick<TimerJob, 'name' | 'repository'>;

/** An item that fails waits this long, so that a defect does not fill each run. */
const POSTPONED_MS = 15 * 60_000;

/**
 * Gives an item that failed a later time, and reports the failure.
 *
 * @param dueMs the time until which items are due
 */
export const postponeFailed = async (
  { name: job, repository }: PostponingJob,
  item: DueItem,
  cause: unknown,
  dueMs: number,
): Promise<void> => {
  logger.error('timers', { job, outcome: 'failed', item: item.key, cause: describeFailure(cause) });
  try {
    await repository.postpone(item, dueMs + POSTPONED_MS);
  } catch (error) {
    // It is still due.
    logger.warn('timers', { job, outcome: 'not postponed', cause: describeFailure(error) });
  }
};
