import { viewEndpoint } from '../../lib/endpoints/endpoint-view.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { endpointInput, requireEndpoint } from './require-endpoint.ts';

/** GET /api/v1/stores/webhook-endpoints/{endpointId}: retrieves an endpoint (`docs/contract.md`, "Endpoints"). */
export const getWebhookEndpoint = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(dependencies, { name: 'getWebhookEndpoint', schema: endpointInput }, async (request) =>
    jsonResponse(200, viewEndpoint(await requireEndpoint(request, dependencies))),
  );
