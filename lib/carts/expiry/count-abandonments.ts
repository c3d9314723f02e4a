import type { Mode } from '../../stores/mode.ts';
import { recordCartMetric } from '../../telemetry/metrics.ts';

/** Counts newly abandoned carts. Those of test mode count in no metric. */
export const countAbandonments = (mode: Mode, carts: number): void => {
  if (mode === 'live' && carts > 0) recordCartMetric(mode, 'CartsAbandoned', carts);
};
