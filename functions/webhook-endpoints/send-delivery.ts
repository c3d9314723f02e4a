import { unlessAborted } from '../../lib/core/unless-aborted.ts';
import { laneOf } from '../../lib/deliveries/queue/lanes.ts';
import type { DeliveryMessage } from '../../lib/deliveries/queue/queue-message.ts';
import { publicDeliveryId } from '../../lib/deliveries/records/delivery-view.ts';
import type { EndpointWithState } from '../../lib/endpoints/endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { Dependencies } from './dependencies.ts';
import type { EndpointRequest } from './endpoint-operation.ts';

/** @throws ApiError if the endpoint is disabled */
export const assertEnabled = ({ disabled }: EndpointWithState): void => {
  if (disabled) throw new ApiError('webhookEndpointDisabled');
};

/** Puts a delivery into the queue. Its result appears in the list of deliveries. */
export const sendDelivery = async (
  message: DeliveryMessage,
  { state }: EndpointWithState,
  { signal }: EndpointRequest,
  { queue }: Dependencies,
) => {
  await unlessAborted(queue.send([message], { lane: laneOf(state) }), signal);
  return jsonResponse(202, { deliveryId: publicDeliveryId(message), eventId: message.eventId });
};
