import { count, logger } from '../telemetry.ts';
import type { ErasureRun } from './run-erasures.ts';

const HOUR_MS = 3_600_000;

/** A day of many carts may take hours. */
const IN_TIME_HOURS = 24;

/** Logs and counts what a run erased. An idle run writes nothing, and a run in time counts no lag: a metric costs money. */
export const reportErasures = ({ erased, failed, lagMs }: ErasureRun): void => {
  const lagHours = Math.floor(lagMs / HOUR_MS);
  if (lagHours > IN_TIME_HOURS) count('ErasureLagHours', lagHours);
  if (erased.live + erased.test + failed > 0) logger.info('erasures', { erased, failed, lagHours });
};
