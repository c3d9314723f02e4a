import * as z from 'zod/mini';
import { type DeliveryMessage, deliveryMessageOf } from '../../lib/deliveries/queue/queue-message.ts';
import { parsePublicDeliveryId } from '../../lib/deliveries/records/delivery-view.ts';
import type { EndpointWithState } from '../../lib/endpoints/endpoint.ts';
import { SEND_INTERVAL_SECONDS } from '../../lib/endpoints/send-intervals.ts';
import { ApiError } from '../../lib/http/errors.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation, type EndpointRequest } from './endpoint-operation.ts';
import { endpointPath, requireEndpoint } from './require-endpoint.ts';
import { assertEnabled, sendDelivery } from './send-delivery.ts';

const inputSchema = z.object({ path: z.extend(endpointPath, { deliveryId: z.string() }) });

const MALFORMED_ID = [
  {
    path: 'path.deliveryId',
    message: 'The id of a delivery ends with a hyphen and 13 digits, as in the list of deliveries',
  },
];

/** The message that sends a delivery again. Throws an `ApiError` if its event is not in the log. */
const messageOf = async (
  endpoint: EndpointWithState,
  deliveryId: string,
  { nowMs, signal }: EndpointRequest,
  { deliveries, events }: Dependencies,
): Promise<DeliveryMessage> => {
  const parsed = parsePublicDeliveryId(deliveryId);
  if (!parsed) throw new ApiError('webhookDeliveryNotFound', MALFORMED_ID);
  const record = await deliveries.find({ endpoint, ...parsed }, signal);
  const event =
    record?.sequence === undefined ? undefined : await events.find(endpoint, record.sequence, nowMs, signal);
  // After a restore of the log, another event may have the number.
  if (!event || event.id !== record?.eventId) throw new ApiError('webhookDeliveryNotFound');
  return deliveryMessageOf(endpoint, event);
};

/**
 * POST /api/v1/stores/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/resend:
 * sends the event of a delivery again (`docs/contract.md`, "Endpoints").
 */
export const resendWebhookDelivery = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(dependencies, { name: 'resendWebhookDelivery', schema: inputSchema }, async (request) => {
    const endpoint = await requireEndpoint(request, dependencies);
    const message = await messageOf(endpoint, request.input.path.deliveryId, request, dependencies);
    assertEnabled(endpoint);
    if (!(await dependencies.sendIntervals.begin(endpoint, 'resend', request.nowMs, request.signal))) {
      throw new ApiError('resendLimited', undefined, { retryAfterSeconds: SEND_INTERVAL_SECONDS });
    }
    return sendDelivery(message, endpoint, request, dependencies);
  });
