import type { BusEvent, EventBus } from '../events/bus.ts';
import { eventIdFrom } from '../events/event-id.ts';
import { embeddedMetrics, logger } from '../core/telemetry.ts';
import type { ReportDisabled } from './deliver.ts';
import { ENDPOINT_DISABLED_TYPE } from './endpoint.ts';

/** Reports a disabled endpoint by an event on the platform's bus, a log line and a metric. */
export const createReportDisabled =
  (bus: EventBus, storeNameOf: (storeId: string) => Promise<string>): ReportDisabled =>
  async ({ storeId, mode, endpointId, label, state }, { atMs, reason }) => {
    // A repeated report has the same id.
    const cause = `${endpointId}#${reason}#${state.failingSinceMs ?? atMs}`;
    const detail: BusEvent['detail'] = {
      id: eventIdFrom(cause),
      type: ENDPOINT_DISABLED_TYPE,
      timestamp: new Date(atMs).toISOString(),
      store: { id: storeId, name: await storeNameOf(storeId) },
      mode,
      data: { endpointId, ...(label !== undefined && { label }), reason },
    };
    await bus.put([{ type: ENDPOINT_DISABLED_TYPE, detail }]);
    logger.warn('endpoint disabled', {
      storeId,
      endpointId,
      reason,
      ...embeddedMetrics({ mode }, { EndpointsDisabled: 1 }),
    });
  };
