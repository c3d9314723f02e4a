import { allEnded } from '../../core/all-ended.ts';
import { memo } from '../../core/memo.ts';
import type { EndpointEvent } from '../../endpoints/endpoint-event.ts';
import type { EndpointWithState, WebhookEndpoint } from '../../endpoints/endpoint.ts';
import type { EndpointEventType } from '../../events/event-types.ts';
import type { EventSink } from '../../events/fan-out.ts';
import { type LoggedEvent, logKey } from '../../events/logged-event.ts';
import type { StoreMode } from '../../stores/mode.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { laneOf } from './lanes.ts';
import { deliveryMessageOf } from './queue-message.ts';

/** The receiver of a new endpoint may not run yet. That of an endpoint that the service disabled is gone or failing. */
const FOR_OTHERS: ReadonlySet<string> = new Set<EndpointEventType>([
  'webhook_endpoint.created',
  'webhook_endpoint.disabled',
]);

/** Whether an event is only for other endpoints than this one. */
const isForOthers = ({ endpointId }: WebhookEndpoint, { type, body }: LoggedEvent): boolean =>
  FOR_OTHERS.has(type) && (JSON.parse(body) as EndpointEvent).data.id === endpointId;

/**
 * Whether an endpoint is enabled, and gets events of the type of this one. No endpoint gets the events of its own creation, and
 * of its own disabling by the service.
 */
export const isSubscribedTo = (endpoint: WebhookEndpoint, event: LoggedEvent): boolean =>
  !endpoint.disabled && (endpoint.eventTypes?.includes(event.type) ?? true) && !isForOthers(endpoint, event);

/**
 * The webhook endpoints as an event sink: a message in the queue for each event and each endpoint that is subscribed to it. It
 * reads the endpoints of a store and mode once, so create one for each batch.
 *
 * @param listEndpoints all endpoints of a store and mode, disabled ones too
 */
export const createEndpointSink = (
  queue: DeliveryQueue,
  listEndpoints: (storeMode: StoreMode) => Promise<readonly EndpointWithState[]>,
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
    await allEnded(
      [...byLane].map(([lane, ofLane]) =>
        queue.send(
          ofLane.map(({ message }) => message),
          { lane },
        ),
      ),
    );
  };
};
