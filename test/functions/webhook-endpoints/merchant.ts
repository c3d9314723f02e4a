import { randomUUID } from 'node:crypto';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import type { WebhookEndpoint } from '../../../lib/endpoints/endpoint.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { endpointChangesOf, newEndpoint } from '../../support/domain/endpoints.ts';
import type { OperationRequest } from '../../support/functions/invoke.ts';
import type { EndpointOperation } from '../../support/operations/row-types.ts';
import type { ApiRequest, TestService } from '../../support/service/service.ts';

export const URL = 'https://hooks.shop.example/cart';

/** A merchant of a store of its own: what it sends, under its key. */
export const givenMerchant = async (
  service: TestService,
  {
    storeId = `store-${randomUUID()}`,
    mode = 'test',
  }: { readonly storeId?: string; readonly mode?: Mode } = {},
) => {
  const apiKey = await service.givenKey({ storeId, mode, limit: 1_000 });
  const send = (
    name: EndpointOperation,
    { body, ...request }: Omit<OperationRequest & ApiRequest, 'body'> & { readonly body?: object } = {},
  ): Promise<ApiResponse> =>
    service.send(name, { apiKey, ...request, ...(body && { body: JSON.stringify(body) }) });
  return {
    storeId,
    apiKey,
    send,

    /** Sends a request about one endpoint. */
    on: (endpointId: string, name: EndpointOperation, request: Parameters<typeof send>[1] = {}) =>
      send(name, { ...request, pathParameters: { endpointId, ...request.pathParameters } }),

    create: (body: object = { url: URL }, idempotencyKey?: string): Promise<ApiResponse> =>
      send('createWebhookEndpoint', { body, headers: { 'Idempotency-Key': idempotencyKey } }),

    /** Stores an endpoint, with its event. Returns its id. */
    async givenEndpoint(changes: Pick<Partial<WebhookEndpoint>, 'url'> = {}): Promise<string> {
      const createdByKeyId = apiKeyId(apiKey).slice(0, 12);
      const createdAtMs = service.clock.now();
      const endpoint = newEndpoint({ storeId, mode, url: URL, createdAtMs, createdByKeyId, ...changes });
      await endpointChangesOf(service, service.clock.now).create(endpoint);
      return endpoint.endpointId;
    },

    /** The events of the store's log. */
    events: async () => {
      const { body } = await service.send('listEvents', { apiKey });
      return body['events'] as readonly { type: string; data: Readonly<Record<string, unknown>> }[];
    },
  };
};

export type Merchant = Awaited<ReturnType<typeof givenMerchant>>;
