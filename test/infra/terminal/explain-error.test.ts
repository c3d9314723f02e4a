import { once } from 'node:events';
import { createServer } from 'node:http';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';
import { explainError } from '../../../infra/terminal/explain-error.ts';
import { UnavailableError, ThrottledError } from '../../../lib/aws/errors.ts';

let status = 400;
let code = '';
const server = createServer((_request, response) => {
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: code, message: 'Slow down' }));
});
const port = await listen(server, '127.0.0.1', 0);

afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

/** The error of a client whose service rejects its call with a code. */
const errorOf = async (call: (config: object) => Promise<unknown>, httpStatus: number, type: string) => {
  [status, code] = [httpStatus, type];
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const config = { endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1', credentials, maxAttempts: 1 };
  return call(config).catch((error: unknown) => error);
};

const CALLS = {
  DynamoDB: (config: object) => new DynamoDBClient(config).send(new ListTablesCommand()),
  SQS: (config: object) => new SQSClient(config).send(new ListQueuesCommand()),
  EventBridge: (config: object) => new EventBridgeClient(config).send(new PutEventsCommand({ Entries: [] })),
};

test.each([
  ['DynamoDB', 'ThrottlingException'],
  ['DynamoDB', 'ProvisionedThroughputExceededException'],
  ['SQS', 'RequestThrottled'],
  ['SQS', 'KmsThrottled'],
  ['EventBridge', 'ThrottlingException'],
] as const)('a throttle of %s names it: %s', async (service, type) => {
  const error = await errorOf(CALLS[service], 400, type);
  expect(await explainError(error, undefined)).toStrictEqual([
    `${service} throttles the requests: try again in a minute.`,
  ]);
});

test.each(['DynamoDB', 'SQS', 'EventBridge'] as const)('an outage of %s names it', async (service) => {
  const error = await errorOf(CALLS[service], 503, 'ServiceUnavailable');
  expect(await explainError(error, undefined)).toStrictEqual([
    `${service} failed with ServiceUnavailable: Slow down`,
  ]);
});

test.each(['DynamoDB', 'SQS', 'EventBridge'] as const)('a rejection of %s names it', async (service) => {
  const error = await errorOf(CALLS[service], 400, 'Odd');
  expect(await explainError(error, undefined)).toStrictEqual([
    `${service} rejected the call with Odd: Slow down`,
  ]);
});

test('a batch of which DynamoDB left a part is a throttle of DynamoDB', async () => {
  expect(await explainError(new ThrottledError(), undefined)).toStrictEqual([
    'DynamoDB throttles the requests: try again in a minute.',
  ]);
});

test('a batch that a receiver did not accept names the receiver', async () => {
  expect(
    await explainError(new UnavailableError('The queue did not accept the whole batch'), undefined),
  ).toStrictEqual(['The queue did not accept the whole batch: try again in a minute.']);
});
