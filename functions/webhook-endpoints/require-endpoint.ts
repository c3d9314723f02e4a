import * as z from 'zod/mini';
import { type EndpointWithState, parseEndpointId } from '../../lib/endpoints/endpoint.ts';
import { ApiError } from '../../lib/http/errors.ts';
import type { Dependencies } from './dependencies.ts';
import type { EndpointRequest } from './endpoint-operation.ts';

/** The path of an operation on one endpoint. */
export const endpointPath = z.object({ endpointId: z.string() });

/** The input of an operation on one endpoint without further parts. */
export const endpointInput = z.object({ path: endpointPath });

const MALFORMED_ID = [
  { path: 'path.endpointId', message: 'The id of an endpoint is we_ with letters and digits' },
];

/**
 * Checks the id in a path.
 *
 * @throws ApiError for an id that no endpoint can have
 */
export const assertEndpointId = (endpointId: string): void => {
  if (parseEndpointId(endpointId) === undefined) throw new ApiError('webhookEndpointNotFound', MALFORMED_ID);
};

/**
 * Reads the endpoint of a path.
 *
 * @throws ApiError, the same for an unknown endpoint and one of another store or mode. A malformed id has details
 */
export const requireEndpoint = async (
  { apiKey: { storeId, mode }, input, signal }: EndpointRequest<z.output<typeof endpointInput>>,
  { endpoints }: Pick<Dependencies, 'endpoints'>,
): Promise<EndpointWithState> => {
  const { endpointId } = input.path;
  assertEndpointId(endpointId);
  const endpoint = await endpoints.find({ storeId, mode, endpointId }, signal);
  if (!endpoint) throw new ApiError('webhookEndpointNotFound');
  return endpoint;
};
