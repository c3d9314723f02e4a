import { NodeHttpHandler } from '@smithy/node-http-handler';
import { clientOptions } from '../../../lib/aws/sdk-options.ts';

// A client would have its own connections, also to a service that another client of the process has called.

/** The connections to DynamoDB. */
export const DATABASE_CONNECTIONS = clientOptions().requestHandler;

/** The connections to a service without a long call. */
export const SERVICE_CONNECTIONS = new NodeHttpHandler({
  requestTimeout: 3_000,
  throwOnRequestTimeout: true,
});
