import { memo } from '../core/memo.ts';
import type { EventSink } from '../events/fan-out.ts';
import { type LogId, type LoggedEvent, logKey } from '../events/logged-event.ts';
import { laneOf } from './lanes.ts';
import { deliveryMessageOf, type DeliveryQueue } from './delivery.ts';
import type { EndpointWithState } from '../endpoints/endpoint-items.ts';
import type { WebhookEndpoint } from '../endpoints/endpoint.ts';

/** Whether an endpoint is enabled, and gets events of the type of this one. */
export const isSubscribedTo = ({ disabled, events }: WebhookEndpoint, { type }: LoggedEvent): boolean =>
  !disabled && (events?.includes(type) ?? true);

/**
 * The webhook endpoints as an event sink: a message in the queue for each event and each endpoint that is subscribed to it. It
 * reads the endpoints of a log once, so create one for each batch.
 *
 * @param listEndpoints all endpoints of a log, disabled ones too
 */
export const createEndpointSink = (
  queue: DeliveryQueue,
  listEndpoints: (log: LogId) => Promise<readonly EndpointWithState[]>,
): EventSink => {
  const endpointsOf = memo(listEndpoints, { keyOf: logKey });
  return async (events) => {
    const deliveries = await Promise.all(
      events.map(async (event) => {
        const endpoints = (await endpointsOf(event)).filter((endpoint) => isSubscribedTo(endpoint, event));
        return endpoints.map((endpoint) => ({
          lane: laneOf(endpoint.state),
          message: deliveryMessageOf(endpoint, event),
        }));
      }),
    );
    const byLane = Map.groupBy(deliveries.flat(), ({ lane }) => lane);
    await Promise.all(
      [...byLane].map(([lane, ofLane]) =>
        queue.send(
          ofLane.map(({ message }) => message),
          { lane },
        ),
      ),
    );
  };
};
