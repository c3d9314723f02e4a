import type { Authenticator } from '../../lib/api-keys/authenticator.ts';
import type { Clock } from '../../lib/core/clock.ts';
import type { DeliveryQueue } from '../../lib/deliveries/queue/delivery-queue.ts';
import type { DeliveryRepository } from '../../lib/deliveries/records/delivery-repository.ts';
import type { EndpointUrlOptions } from '../../lib/endpoints/address/endpoint-url.ts';
import type { CreateEndpointDependencies } from '../../lib/endpoints/create-endpoint.ts';
import type { EndpointChanges } from '../../lib/endpoints/endpoint-changes.ts';
import type { EndpointRepository } from '../../lib/endpoints/endpoint-repository.ts';
import type { SendIntervals } from '../../lib/endpoints/send-intervals.ts';
import type { EventRepository } from '../../lib/events/event-repository.ts';

export interface Dependencies extends CreateEndpointDependencies {
  readonly authenticator: Authenticator;
  readonly now: Clock;
  readonly endpoints: Pick<EndpointRepository, 'find' | 'listOf'>;
  readonly sendIntervals: SendIntervals;
  readonly endpointChanges: EndpointChanges;
  readonly deliveries: Pick<DeliveryRepository, 'find' | 'pageOf'>;
  readonly events: Pick<EventRepository, 'find'>;
  readonly queue: DeliveryQueue;
  /** The rules of this stage for addresses. */
  readonly urlOptions: EndpointUrlOptions;
}
