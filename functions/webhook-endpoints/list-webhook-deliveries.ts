import * as z from 'zod/mini';
import {
  deliveriesQuerySchema,
  LIST_DELIVERIES_FOREIGN_NAMES,
} from '../../lib/deliveries/records/deliveries-request.ts';
import { publicDeliveryId, viewDelivery } from '../../lib/deliveries/records/delivery-view.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { endpointPath, requireEndpoint } from './require-endpoint.ts';

const inputSchema = z.object({ path: endpointPath, query: deliveriesQuerySchema });

/**
 * GET /api/v1/stores/webhook-endpoints/{endpointId}/deliveries:
 * the deliveries of an endpoint, the latest event first (`docs/contract.md`, "Endpoints").
 */
export const listWebhookDeliveries = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(
    dependencies,
    { name: 'listWebhookDeliveries', schema: inputSchema, foreignNames: LIST_DELIVERIES_FOREIGN_NAMES },
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
