import * as z from 'zod/mini';
import { shownKeyId } from '../../lib/api-keys/api-key.ts';
import { unlessAborted } from '../../lib/core/unless-aborted.ts';
import { needsDrain } from '../../lib/deliveries/leases/parking.ts';
import { drainRequestOf } from '../../lib/deliveries/queue/queue-message.ts';
import { createEndpoint, type CreateEndpointResult } from '../../lib/endpoints/create-endpoint.ts';
import {
  UPDATE_ENDPOINT_WORDS,
  createEndpointRequestSchema,
  CREATE_ENDPOINT_WORDS,
  LIST_ENDPOINTS_WORDS,
  updateEndpointRequestSchema,
} from '../../lib/endpoints/endpoint-request.ts';
import { parseEndpointUrl } from '../../lib/endpoints/endpoint-url.ts';
import { viewConfig, viewEndpoint } from '../../lib/endpoints/endpoint-view.ts';
import type { EndpointWithState } from '../../lib/endpoints/endpoint.ts';
import type { RejectedHost } from '../../lib/endpoints/host-check.ts';
import { updateEndpoint, type UpdateEndpointResult } from '../../lib/endpoints/update-endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';
import { jsonResponse } from '../../lib/http/json-response.ts';
import type { Parsed, RequestParts } from '../../lib/http/operation-input.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import { idempotencyKeySchema } from '../../lib/idempotency/idempotency-key.ts';
import { describeFailure } from '../../lib/telemetry/failure.ts';
import { logger } from '../../lib/telemetry/logger.ts';
import { defineOperation, type Dependencies, type EndpointRequest } from './define-operation.ts';
import { assertEndpointId, endpointInput, endpointPath, requireEndpoint } from './require-endpoint.ts';

/** A check of a host ends within 1.5 s. */
const CHECK_RETRY_AFTER_SECONDS = 1;

const REJECTIONS = {
  notFound: 'webhookEndpointNotFound',
  reused: 'idempotencyKeyReused',
  tooMany: 'tooManyWebhookEndpoints',
  locked: 'webhookEndpointLocked',
} as const;

const OF_DELETED = [
  { path: 'headers.idempotency-key', message: 'Its endpoint was deleted. For a new one, use another key' },
];

const hostRejection = (rejected: RejectedHost): ApiError =>
  rejected.outcome === 'busy'
    ? new ApiError('rateLimited', undefined, { retryAfterSeconds: CHECK_RETRY_AFTER_SECONDS })
    : new ApiError('invalidPayload', [{ path: 'url', message: rejected.reason }]);

/** The error of a creation or a change that was rejected. */
const rejectionOf = (
  rejected: Exclude<CreateEndpointResult | UpdateEndpointResult, { readonly endpoint: unknown }>,
): ApiError => {
  if (rejected.outcome === 'rejectedHost') return hostRejection(rejected.verdict);
  if (rejected.outcome === 'deleted') return new ApiError('idempotencyKeyReused', OF_DELETED);
  return new ApiError(REJECTIONS[rejected.outcome]);
};

/** Checks the address in a body by the rules of this stage, and normalises it. */
const withAddress = <Input extends { readonly body: { readonly url?: string | undefined } }>(
  parsed: Parsed<Input>,
  { apiId }: RequestParts,
  { urlOptions }: Pick<Dependencies, 'urlOptions'>,
): Parsed<Input> => {
  if (!parsed.ok || parsed.input.body.url === undefined) return parsed;
  const address = parseEndpointUrl(parsed.input.body.url, { ...urlOptions, apiId });
  if (!address.ok) return { ok: false, details: [{ path: 'url', message: address.reason }] };
  return { ...parsed, input: { ...parsed.input, body: { ...parsed.input.body, url: address.url } } };
};

const createInput = z.object({
  headers: z.object({ 'idempotency-key': z.optional(idempotencyKeySchema) }),
  body: createEndpointRequestSchema,
});

const create = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(
    dependencies,
    { name: 'createWebhookEndpoint', schema: createInput, words: CREATE_ENDPOINT_WORDS, refine: withAddress },
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

const list = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(
    dependencies,
    { name: 'listWebhookEndpoints', schema: z.object({}), words: LIST_ENDPOINTS_WORDS },
    async ({ apiKey, signal }) => {
      const found = await dependencies.endpoints.listOf(apiKey, signal);
      const sorted = found.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
      return jsonResponse(200, { webhookEndpoints: sorted.map(viewEndpoint) });
    },
  );

const get = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(dependencies, { name: 'getWebhookEndpoint', schema: endpointInput }, async (request) =>
    jsonResponse(200, viewEndpoint(await requireEndpoint(request, dependencies))),
  );

const updateInput = z.object({ path: endpointPath, body: updateEndpointRequestSchema });

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

const update = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(
    dependencies,
    { name: 'updateWebhookEndpoint', schema: updateInput, words: UPDATE_ENDPOINT_WORDS, refine: withAddress },
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

const remove = (dependencies: Dependencies): ProxyFunction =>
  defineOperation(dependencies, { name: 'deleteWebhookEndpoint', schema: endpointInput }, async (request) => {
    const endpoint = await requireEndpoint(request, dependencies);
    const caller = { keyId: shownKeyId(request.apiKey), signal: request.signal };
    const outcome = await dependencies.endpointChanges.remove(endpoint, caller);
    if (outcome !== 'changed') throw rejectionOf({ outcome });
    return jsonResponse(200, { id: endpoint.endpointId, deleted: true });
  });

/** The operations on endpoints, by their names in `functions/operations.ts`. */
export const endpointOperations = (dependencies: Dependencies) => ({
  createWebhookEndpoint: create(dependencies),
  listWebhookEndpoints: list(dependencies),
  getWebhookEndpoint: get(dependencies),
  updateWebhookEndpoint: update(dependencies),
  deleteWebhookEndpoint: remove(dependencies),
});
