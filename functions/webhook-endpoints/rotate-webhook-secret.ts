import * as z from 'zod/mini';
import { shownKeyId } from '../../lib/api-keys/api-key.ts';
import { isoTime } from '../../lib/core/timestamps.ts';
import {
  OVERLAP_SECONDS_DEFAULT,
  ROTATE_SECRET_FOREIGN_NAMES,
  rotateSecretRequestSchema,
} from '../../lib/endpoints/endpoint-request.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { Dependencies } from './dependencies.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { endpointPath, requireEndpoint } from './require-endpoint.ts';

const inputSchema = z.object({ path: endpointPath, body: rotateSecretRequestSchema });

/**
 * POST /api/v1/stores/webhook-endpoints/{endpointId}/rotate-secret:
 * replaces the secret of an endpoint (`docs/contract.md`, "Endpoints").
 */
export const rotateWebhookSecret = (dependencies: Dependencies): ProxyFunction =>
  endpointOperation(
    dependencies,
    { name: 'rotateWebhookSecret', schema: inputSchema, foreignNames: ROTATE_SECRET_FOREIGN_NAMES },
    async (request) => {
      const { apiKey, input, signal } = request;
      const { overlapSeconds = OVERLAP_SECONDS_DEFAULT } = input.body;
      const endpoint = await requireEndpoint(request, dependencies);
      const caller = { shownKeyId: shownKeyId(apiKey), signal };
      const rotated = await dependencies.endpointChanges.rotateSecret(
        endpoint,
        overlapSeconds * 1_000,
        caller,
      );
      if (!rotated) throw new ApiError('webhookSecretChanged');
      const { secret, previousEndsAtMs } = rotated;
      return jsonResponse(200, {
        id: endpoint.endpointId,
        secret,
        previousSecretEndsAt: isoTime(previousEndsAtMs),
      });
    },
  );
