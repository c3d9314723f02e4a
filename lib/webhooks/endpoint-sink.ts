import { memo } from '../core/memo.ts';
import type { EventSink } from '../events/fan-out.ts';
import { type LogId, type LoggedEvent, logKey } from '../events/logged-event.ts';
import { deliveryMessageOf, type DeliveryQueue } from './delivery.ts';
import type { WebhookEndpoint } from './endpoint.ts';

/** Whether an endpoint gets an event. */
export const wants = ({ disabled, events }: WebhookEndpoint, { type }: LoggedEvent): boolean =>
  !disabled && (events?.includes(type) ?? true);

/**
 * The webhook endpoints as an event sink: a message in the queue for each event and each endpoint that wants it. It
 * reads the endpoints of a log once, so create one for each batch.
 *
 * @param listEndpoints all endpoints of a log, disabled ones too
 */
export const createEndpointSink = (
  queue: DeliveryQueue,
  listEndpoints: (log: LogId) => Promise<readonly WebhookEndpoint[]>,
): EventSink => {
  const endpointsOf = memo(listEndpoints, { keyOf: logKey });
  return async (events) => {
    const messages = await Promise.all(
      events.map(async (event) => {
        const endpoints = await endpointsOf(event);
        return endpoints
          .filter((endpoint) => wants(endpoint, event))
          .map((endpoint) => deliveryMessageOf(endpoint, event));
      }),
    );
    if (messages.flat().length > 0) await queue.send(messages.flat());
  };
};
