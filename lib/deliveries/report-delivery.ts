import { logger } from '../telemetry/logger.ts';
import type { WebhookMetric } from '../telemetry/metric-names.ts';
import { embeddedMetrics } from '../telemetry/metrics.ts';
import type { DeliveryMessage } from './queue/queue-message.ts';
import type { AttemptResult } from './records/attempt.ts';
import type { DeliveryRecord, Outcome } from './records/delivery.ts';

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
