import { pathId } from '../operation-contract.ts';

/** The id of the endpoint in examples. */
export const ENDPOINT_ID = 'we_0123456789abcdefghijABCD';

/** The endpoint in a path. */
export const endpointId = pathId('endpointId', 'Identifier of the endpoint', ENDPOINT_ID);

/** The order of the errors of an operation on one endpoint. */
export const NOT_FOUND =
  'An unknown endpoint and an endpoint of another store or mode return the same 404. If several errors apply, the response is the first of 401, 429, 422 and 404.';
