import { count, logger } from '../telemetry.ts';
import type { ErasureRun } from './run-erasures.ts';

const HOUR_MS = 3_600_000;

/** A day of many carts may take hours. The alarm `ErasureLag` has the same limit. */
const NORMAL_LAG_HOURS_MAX = 24;

/** Logs and counts what a run erased. Metrics cost money: an idle run writes nothing, and a run without much lag counts none. */
export const reportErasures = ({ erased, failed, lagMs }: ErasureRun): void => {
  const lagHours = Math.ceil(lagMs / HOUR_MS);
  if (lagHours > NORMAL_LAG_HOURS_MAX) count('ErasureLagHours', lagHours);
  if (erased.live + erased.test + failed > 0) logger.info('erasures', { erased, failed, lagHours });
};
