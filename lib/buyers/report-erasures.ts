import { ERASURE_LAG_HOURS_MAX } from '../core/metric-names.ts';
import { count, logger } from '../core/telemetry.ts';
import type { ErasureRun } from './run-erasures.ts';

const HOUR_MS = 3_600_000;

/** Logs the erasures of a run, and counts a lag above a day. An idle run writes nothing, because metrics cost money. */
export const reportErasures = ({ erased, failed, lagMs }: ErasureRun): void => {
  const lagHours = Math.ceil(lagMs / HOUR_MS);
  if (lagHours > ERASURE_LAG_HOURS_MAX) count('ErasureLagHours', lagHours);
  if (erased.live + erased.test + failed > 0) logger.info('erasures', { erased, failed, lagHours });
};
