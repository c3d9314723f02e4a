import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import toFastProperties from 'to-fast-properties';
import { clientOptions, Sha256 } from './sdk-options.ts';

/**
 * The document client of DynamoDB. The SDK repeats a write whose response was lost, so each write keeps the result of the first:
 * it is idempotent, has a token of its transaction, or recognises its own effect (`failedByItself`). Two writes may count twice:
 * a parking (`notePark`), which does no harm, and a failure whose lease had expired (`createRelease` in `leases.ts`).
 *
 * @param config replaces the defaults, and the endpoint, region and credentials of the environment
 */
export const createDocumentClient = (config: DynamoDBClientConfig = {}) => {
  const client = new DynamoDBClient({ ...clientOptions(), sha256: Sha256, ...config });
  // V8 would keep it as a dictionary, whose three copies for each call cost 4 % of a request's CPU time. Compare it as `Sha256`.
  toFastProperties(client.config);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};

/** By default, the SDK would ignore the endpoint of the environment for the queue's address. */
export const createQueueClient = () => new SQSClient({ ...clientOptions(), useQueueUrlAsEndpoint: false });
export const createAuditClient = () => new CloudWatchLogsClient(clientOptions());
export const createBusClient = () => new EventBridgeClient(clientOptions());
