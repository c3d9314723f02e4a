import * as z from 'zod/mini';
import { createEndpoint } from '../../lib/endpoints/create-endpoint.ts';
import {
  createEndpointRequestSchema,
  CREATE_ENDPOINT_FOREIGN_NAMES,
} from '../../lib/endpoints/endpoint-request.ts';
import { viewConfig } from '../../lib/endpoints/endpoint-view.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { idempotencyKeySchema } from '../../lib/idempotency/idempotency-key.ts';
import { checkAddress } from './check-address.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { rejectionOf } from './endpoint-rejection.ts';

const inputSchema = z.object({
  headers: z.object({ 'idempotency-key': z.optional(idempotencyKeySchema) }),
  body: createEndpointRequestSchema,
});

/** POST /api/v1/stores/webhook-endpoints: creates an endpoint (`docs/contract.md`, "Endpoints"). */
export const createWebhookEndpoint = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(
    dependencies,
    {
      name: 'createWebhookEndpoint',
      schema: inputSchema,
      foreignNames: CREATE_ENDPOINT_FOREIGN_NAMES,
      refine: checkAddress,
    },
    async ({ apiKey, input: { headers, body }, nowMs, signal }) => {
      const idempotencyKey = headers['idempotency-key'];
      const eventTypes = body.eventTypes ?? undefined;
      const request = { apiKey, nowMs, signal, idempotencyKey, url: body.url, eventTypes };
      const created = await createEndpoint(request, dependencies);
      if (!('endpoint' in created)) throw rejectionOf(created);
      const webhookEndpoint = viewConfig(created.endpoint);
      return created.outcome === 'created'
        ? jsonResponse(201, { webhookEndpoint, secret: created.secret })
        : jsonResponse(201, { webhookEndpoint }, { 'Idempotent-Replayed': 'true' });
    },
  );
