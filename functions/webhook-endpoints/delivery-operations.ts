import * as z from 'zod/mini';
import { unlessAborted } from '../../lib/core/unless-aborted.ts';
import { laneOf } from '../../lib/deliveries/queue/lanes.ts';
import {
  type DeliveryMessage,
  deliveryMessageOf,
  PING_TYPE,
  testMessageOf,
} from '../../lib/deliveries/queue/queue-message.ts';
import {
  deliveriesQuerySchema,
  LIST_DELIVERIES_WORDS,
} from '../../lib/deliveries/records/deliveries-request.ts';
import {
  parsePublicDeliveryId,
  publicDeliveryId,
  viewDelivery,
} from '../../lib/deliveries/records/delivery-view.ts';
import { TEST_EVENT_WORDS, testQuerySchema } from '../../lib/deliveries/test-event-request.ts';
import { isOpen } from '../../lib/endpoints/breaker.ts';
import type { EndpointWithState } from '../../lib/endpoints/endpoint.ts';
import { OPEN_TEST_INTERVAL_SECONDS, SEND_INTERVAL_SECONDS } from '../../lib/endpoints/send-intervals.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { defineOperation, type Dependencies, type EndpointRequest } from './define-operation.ts';
import { endpointPath, requireEndpoint } from './require-endpoint.ts';

const assertEnabled = ({ disabled }: EndpointWithState): void => {
  if (disabled) throw new ApiError('webhookEndpointDisabled');
};

/** Puts a delivery into the queue. Its result appears in the list of deliveries. */
const send = async (
  message: DeliveryMessage,
  { state }: EndpointWithState,
  { signal }: EndpointRequest,
  { queue }: Dependencies,
) => {
  await unlessAborted(queue.send([message], { lane: laneOf(state) }), signal);
  return jsonResponse(202, { deliveryId: publicDeliveryId(message), eventId: message.eventId });
};

const ONLY_PING = [
  {
    path: 'query.eventType',
    message: `Live mode sends ${PING_TYPE} alone: use a key and an endpoint of test mode`,
  },
];

const testInput = z.object({ path: endpointPath, query: testQuerySchema });

const test = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(
    dependencies,
    { name: 'testWebhookEndpoint', schema: testInput, words: TEST_EVENT_WORDS },
    async (request) => {
      const { eventType } = request.input.query;
      if (request.apiKey.mode === 'live' && (eventType ?? PING_TYPE) !== PING_TYPE) {
        throw new ApiError('invalidPayload', ONLY_PING);
      }
      const endpoint = await requireEndpoint(request, dependencies);
      assertEnabled(endpoint);
      if (!(await dependencies.endpoints.tryAcquireSend(endpoint, 'test', request.nowMs, request.signal))) {
        const retryAfterSeconds = isOpen(endpoint.state) ? OPEN_TEST_INTERVAL_SECONDS : SEND_INTERVAL_SECONDS;
        throw new ApiError('testEventLimited', undefined, { retryAfterSeconds });
      }
      return send(testMessageOf(endpoint, request.nowMs, eventType), endpoint, request, dependencies);
    },
  );

const listInput = z.object({ path: endpointPath, query: deliveriesQuerySchema });

const list = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(
    dependencies,
    { name: 'listWebhookDeliveries', schema: listInput, words: LIST_DELIVERIES_WORDS },
    async (request) => {
      const { limit, beforeMs, after } = request.input.query;
      const endpoint = await requireEndpoint(request, dependencies);
      const options = { limit, beforeMs, after, signal: request.signal };
      const { deliveries, hasMore } = await dependencies.deliveries.pageOf(endpoint.endpointId, options);
      const last = hasMore ? deliveries.at(-1) : undefined;
      const cursor = last && publicDeliveryId(last);
      return jsonResponse(200, { deliveries: deliveries.map(viewDelivery), cursor, hasMore });
    },
  );

const resendInput = z.object({ path: z.extend(endpointPath, { deliveryId: z.string() }) });

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

const resend = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(dependencies, { name: 'resendWebhookDelivery', schema: resendInput }, async (request) => {
    const endpoint = await requireEndpoint(request, dependencies);
    const message = await messageOf(endpoint, request.input.path.deliveryId, request, dependencies);
    assertEnabled(endpoint);
    if (!(await dependencies.endpoints.tryAcquireSend(endpoint, 'resend', request.nowMs, request.signal))) {
      throw new ApiError('resendLimited', undefined, { retryAfterSeconds: SEND_INTERVAL_SECONDS });
    }
    return send(message, endpoint, request, dependencies);
  });

/** The operations on deliveries, by their names in `functions/operations.ts`. */
export const deliveryOperations = (dependencies: Dependencies) => ({
  testWebhookEndpoint: test(dependencies),
  listWebhookDeliveries: list(dependencies),
  resendWebhookDelivery: resend(dependencies),
});
