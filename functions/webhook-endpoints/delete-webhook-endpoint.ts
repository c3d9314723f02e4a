import { shownKeyId } from '../../lib/api-keys/api-key.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { rejectionOf } from './endpoint-rejection.ts';
import { endpointInput, requireEndpoint } from './require-endpoint.ts';

/**
 * DELETE /api/v1/stores/webhook-endpoints/{endpointId}: deletes an endpoint and its secret (`docs/contract.md`, "Endpoints").
 */
export const deleteWebhookEndpoint = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(
    dependencies,
    { name: 'deleteWebhookEndpoint', schema: endpointInput },
    async (request) => {
      const endpoint = await requireEndpoint(request, dependencies);
      const caller = { shownKeyId: shownKeyId(request.apiKey), signal: request.signal };
      const outcome = await dependencies.endpointChanges.remove(endpoint, caller);
      if (outcome !== 'changed') throw rejectionOf({ outcome });
      return jsonResponse(200, { id: endpoint.endpointId, deleted: true });
    },
  );
