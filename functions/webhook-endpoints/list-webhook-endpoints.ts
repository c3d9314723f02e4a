import * as z from 'zod/mini';
import { LIST_ENDPOINTS_FOREIGN_NAMES } from '../../lib/endpoints/endpoint-request.ts';
import { viewEndpoint } from '../../lib/endpoints/endpoint-view.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation } from './endpoint-operation.ts';

/** GET /api/v1/stores/webhook-endpoints: the endpoints of the key's store and mode (`docs/contract.md`, "Endpoints"). */
export const listWebhookEndpoints = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(
    dependencies,
    { name: 'listWebhookEndpoints', schema: z.object({}), foreignNames: LIST_ENDPOINTS_FOREIGN_NAMES },
    async ({ apiKey, signal }) => {
      const found = await dependencies.endpoints.listOf(apiKey, signal);
      const sorted = found.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
      return jsonResponse(200, { webhookEndpoints: sorted.map(viewEndpoint) });
    },
  );
