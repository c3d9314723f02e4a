import { updateOf } from '../database/expressions.ts';
import { endpointEvent } from '../endpoints/endpoint-event.ts';
import { endpointKey } from '../endpoints/endpoint-item.ts';
import type { EndpointWithState } from '../endpoints/endpoint.ts';
import type { EventLog } from '../events/event-log.ts';
import { logger } from '../telemetry/logger.ts';
import { embeddedMetrics } from '../telemetry/metrics.ts';

/**
 * Reports an endpoint that the service disabled, unless it is already reported.
 *
 * @param endpoint as the last call showed it. `undefined` if it was removed, or if no call showed it
 * @throws when DynamoDB is slow, throttles or is down. The next message of the endpoint finds the mark.
 */
export type ReportDisabled = (endpoint: EndpointWithState | undefined) => Promise<void>;

/**
 * Reports a disabled endpoint by an event in its log, a log line and a metric. One transaction writes the event and removes the
 * mark, so there is one event.
 *
 * @param tableName the table `webhookEndpoints`
 */
export const createReportDisabled =
  (log: EventLog, tableName: string): ReportDisabled =>
  async (endpoint) => {
    const { disabled: marked } = endpoint ?? {};
    if (!endpoint || !marked?.isUnreported) return;
    const { storeId, mode, endpointId } = endpoint;
    const { isUnreported: _, ...disabled } = marked;
    // Logged before the transaction: if the process ends after it, nobody logs it later. Two lines are better than none.
    logger.warn('endpoint disabled', {
      storeId,
      endpointId,
      reason: disabled.reason,
      ...embeddedMetrics({ mode }, { EndpointsDisabled: 1 }),
    });
    const update = updateOf(
      { set: { disabled } },
      // False if another process has reported it, or if somebody enabled, disabled or removed the endpoint since.
      { ConditionExpression: '#disabled = :marked', ExpressionAttributeValues: { ':marked': marked } },
    );
    const writes = [{ Update: { TableName: tableName, Key: endpointKey(endpoint), ...update } }];
    await log.append(endpoint, { event: endpointEvent('webhook_endpoint.disabled', endpoint), writes });
  };
