import { NodeHttpHandler } from '@smithy/node-http-handler';
import { clientOptions } from '../../../lib/aws/sdk-options.ts';

// By default, each client opens its own connections, even to a service that the process already uses.

/** The connections to DynamoDB. */
export const DATABASE_CONNECTIONS = clientOptions().requestHandler;

/** The connections to CloudFormation, CloudWatch, CloudWatch Logs and STS, for calls that are short. An attempt fails after 3 s. */
export const SERVICE_CONNECTIONS = new NodeHttpHandler({
  requestTimeout: 3_000,
  throwOnRequestTimeout: true,
});
