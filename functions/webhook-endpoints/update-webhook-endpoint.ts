import * as z from 'zod/mini';
import { unlessAborted } from '../../lib/core/unless-aborted.ts';
import { needsDrain } from '../../lib/deliveries/parking/drain-need.ts';
import { drainRequestOf } from '../../lib/deliveries/queue/queue-message.ts';
import {
  UPDATE_ENDPOINT_FOREIGN_NAMES,
  updateEndpointRequestSchema,
} from '../../lib/endpoints/endpoint-request.ts';
import { viewEndpoint } from '../../lib/endpoints/endpoint-view.ts';
import type { EndpointWithState } from '../../lib/endpoints/endpoint.ts';
import { updateEndpoint } from '../../lib/endpoints/update-endpoint.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { describeFailure } from '../../lib/telemetry/failure.ts';
import { logger } from '../../lib/telemetry/logger.ts';
import { checkAddress } from './check-address.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation, type EndpointRequest } from './endpoint-operation.ts';
import { rejectionOf } from './endpoint-rejection.ts';
import { assertEndpointId, endpointPath } from './require-endpoint.ts';

const inputSchema = z.object({ path: endpointPath, body: updateEndpointRequestSchema });

/** Starts the drain of an endpoint whose deliveries are parked. After a failure, `run-timers` starts it within a minute. */
const resume = async (
  endpoint: EndpointWithState,
  { nowMs, signal }: EndpointRequest,
  { queue }: Dependencies,
): Promise<void> => {
  if (endpoint.disabled || !needsDrain(endpoint, nowMs)) return;
  try {
    await unlessAborted(queue.send([drainRequestOf(endpoint)]), signal);
  } catch (error) {
    logger.warn('drain', { outcome: 'failed', cause: describeFailure(error) });
  }
};

/** PATCH /api/v1/stores/webhook-endpoints/{endpointId}: changes an endpoint (`docs/contract.md`, "Endpoints"). */
export const updateWebhookEndpoint = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(
    dependencies,
    {
      name: 'updateWebhookEndpoint',
      schema: inputSchema,
      foreignNames: UPDATE_ENDPOINT_FOREIGN_NAMES,
      refine: checkAddress,
    },
    async (request) => {
      const { apiKey, input, nowMs, signal } = request;
      const { endpointId } = input.path;
      assertEndpointId(endpointId);
      const updated = await updateEndpoint(
        { apiKey, endpointId, nowMs, signal, ...input.body },
        dependencies,
      );
      if (!('endpoint' in updated)) throw rejectionOf(updated);
      if (updated.outcome === 'updated' && updated.isReopened) {
        await resume(updated.endpoint, request, dependencies);
      }
      return jsonResponse(200, viewEndpoint(updated.endpoint));
    },
  );
