import * as z from 'zod/mini';
import { testMessageOf } from '../../lib/deliveries/queue/queue-message.ts';
import {
  TEST_EVENT_FOREIGN_NAMES,
  testQuerySchema,
} from '../../lib/deliveries/test-events/test-event-request.ts';
import { isOpen } from '../../lib/endpoints/breaker.ts';
import { OPEN_TEST_INTERVAL_SECONDS, SEND_INTERVAL_SECONDS } from '../../lib/endpoints/send-intervals.ts';
import { PING_TYPE } from '../../lib/events/event-types.ts';
import { ApiError } from '../../lib/http/errors.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { endpointPath, requireEndpoint } from './require-endpoint.ts';
import { assertEnabled, sendDelivery } from './send-delivery.ts';

const ONLY_PING = [
  {
    path: 'query.eventType',
    message: `Live mode sends ${PING_TYPE} alone: use a key and an endpoint of test mode`,
  },
];

const inputSchema = z.object({ path: endpointPath, query: testQuerySchema });

/**
 * POST /api/v1/stores/webhook-endpoints/{endpointId}/test: sends a test event to an endpoint (`docs/contract.md`, "Endpoints").
 */
export const testWebhookEndpoint = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(
    dependencies,
    { name: 'testWebhookEndpoint', schema: inputSchema, foreignNames: TEST_EVENT_FOREIGN_NAMES },
    async (request) => {
      const { eventType } = request.input.query;
      if (request.apiKey.mode === 'live' && (eventType ?? PING_TYPE) !== PING_TYPE) {
        throw new ApiError('invalidPayload', ONLY_PING);
      }
      const endpoint = await requireEndpoint(request, dependencies);
      assertEnabled(endpoint);
      if (!(await dependencies.sendIntervals.begin(endpoint, 'test', request.nowMs, request.signal))) {
        const retryAfterSeconds = isOpen(endpoint.state) ? OPEN_TEST_INTERVAL_SECONDS : SEND_INTERVAL_SECONDS;
        throw new ApiError('testEventLimited', undefined, { retryAfterSeconds });
      }
      return sendDelivery(testMessageOf(endpoint, request.nowMs, eventType), endpoint, request, dependencies);
    },
  );
