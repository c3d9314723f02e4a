import { ENDPOINT_EXAMPLE } from '../../lib/event-catalogue/event-examples.ts';
import { pathId } from '../contract-parts.ts';

export const endpointId = pathId('endpointId', 'Identifier of the endpoint', ENDPOINT_EXAMPLE.id);

export const NOT_FOUND =
  'An unknown endpoint and an endpoint of another store or mode return the same 404. If several errors apply, the response is the first of 401, 429, 422 and 404.';
