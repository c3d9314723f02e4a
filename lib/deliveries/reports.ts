import { isoTime } from '../core/rfc3339.ts';
import type { WebhookMetric } from '../telemetry/metric-names.ts';
import { embeddedMetrics, logger } from '../telemetry/telemetry.ts';
import type { BusEvent, EventBus } from '../events/bus.ts';
import { eventIdFrom } from '../events/logged-event.ts';
import type { EndpointWithState } from '../endpoints/endpoint-items.ts';
import { type Disabled, ENDPOINT_DISABLED_TYPE } from '../endpoints/endpoint.ts';
import type { AttemptResult } from './attempt.ts';
import type { DeliveryMessage, DeliveryRecord, Outcome } from './delivery.ts';
import type { Leases } from './leases.ts';

/** The outcome of a message, for the log line and the metrics. */
export interface DeliveryReport {
  readonly message: DeliveryMessage;
  readonly outcome: Outcome;
  readonly result?: AttemptResult | undefined;
  readonly reason?: DeliveryRecord['reason'];
}

const countsOf = ({ outcome, result }: DeliveryReport): readonly WebhookMetric[] => {
  if (outcome === 'succeeded') return ['DeliveriesSucceeded'];
  const counts: WebhookMetric[] = [];
  if (result) counts.push('DeliveryAttemptsFailed');
  if (outcome === 'failed') counts.push('DeliveriesFailed');
  return counts;
};

/**
 * Logs and counts the outcome of a message, in one line. The line has neither the response's text nor the endpoint's
 * address, whose query may hold a secret of the merchant.
 */
export const reportDelivery = (report: DeliveryReport): void => {
  const { message, outcome, result, reason } = report;
  const { storeId, endpointId, mode } = message.endpoint;
  const counts = countsOf(report);
  logger.info('delivery', {
    storeId,
    endpointId,
    eventId: message.eventId,
    type: message.type,
    attempt: message.attempt,
    outcome,
    reason,
    status: result?.status,
    error: result?.error,
    ms: result?.ms,
    ...(counts.length > 0 &&
      embeddedMetrics({ mode }, Object.fromEntries(counts.map((metric) => [metric, 1])))),
  });
};

/** Reports that the service disabled an endpoint. It may report the same one twice. */
export type ReportDisabled = (endpoint: EndpointWithState, disabled: Disabled) => Promise<void>;

/** Reports a disabled endpoint by an event on the platform's bus, a log line and a metric. */
export const createReportDisabled =
  (bus: EventBus, storeNameOf: (storeId: string) => Promise<string>): ReportDisabled =>
  async ({ storeId, mode, endpointId, label, state }, { atMs, reason }) => {
    // A repeated report has the same id.
    const cause = `${endpointId}#${reason}#${state.failingSinceMs ?? atMs}`;
    const detail: BusEvent['detail'] = {
      id: eventIdFrom(cause),
      type: ENDPOINT_DISABLED_TYPE,
      timestamp: isoTime(atMs),
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

interface Dependencies {
  readonly leases: Pick<Leases, 'noteReported'>;
  readonly reportDisabled: ReportDisabled;
}

/** A merchant or an operator may have disabled the endpoint during the attempt. */
const isByService = ({ reason }: Disabled): boolean => reason === 'gone' || reason === 'failing';

/** Reports that the service disabled an endpoint, unless that is done. */
export const reportIfDue = async (
  endpoint: EndpointWithState | undefined,
  { leases, reportDisabled }: Dependencies,
): Promise<void> => {
  const { disabled, isUnreported } = endpoint ?? {};
  if (!endpoint || !isUnreported || !disabled || !isByService(disabled)) return;
  await reportDisabled(endpoint, disabled);
  // If the process ends before, the next message finds the mark.
  await leases.noteReported(endpoint);
};
