import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startDynamodbCheck } from '../../../infra/local/dynamodb-check.ts';
import { localClientConfig } from '../../../infra/local/local-database.ts';
import { givenDeadAddress, isListening } from '../../support/addresses.ts';

const givenCheck = async (target = inject('dynamodbEndpoint')) => {
  const check = await startDynamodbCheck(target);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= check.close());
  onTestFinished(close);
  const client = new DynamoDBClient({ ...localClientConfig(check.endpoint), maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return { endpoint: check.endpoint, client, close };
};

/** The headers of a client's call, with these changes. */
const callOf = (changes: OutgoingHttpHeaders): OutgoingHttpHeaders => ({
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': 'DynamoDB_20120810.ListTables',
  'X-Amz-Date': '20261122T000000Z',
  Authorization:
    'AWS4-HMAC-SHA256 Credential=local/20261122/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  ...changes,
});

const send = async (endpoint: string, method: string, changes: OutgoingHttpHeaders) => {
  const defined = Object.entries(callOf(changes)).filter(([, value]) => value !== undefined);
  const sent = request(endpoint, { method, headers: Object.fromEntries(defined) }).end('{}');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
};

test('a DynamoDB client gets the responses of the emulator, its errors included', async () => {
  const { client, endpoint } = await givenCheck();

  expect((await client.send(new ListTablesCommand())).TableNames).toBeInstanceOf(Array);
  const missing = new GetItemCommand({ TableName: 'missing', Key: { id: { S: '1' } } });
  await expect(client.send(missing)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  expect(await send(endpoint, 'POST', {})).toMatchObject({ status: 200 });
});

test.each<[string, string, OutgoingHttpHeaders]>([
  ['the page of another site', 'POST', { Origin: 'https://evil.example' }],
  ['a page without an origin', 'POST', { Origin: 'null' }],
  ['the preflight of a page', 'OPTIONS', { Origin: 'https://evil.example' }],
  ['a page whose name leads here', 'POST', { Host: 'evil.example:8000' }],
  ['a page whose name begins as this machine', 'POST', { Host: 'localhost.evil.example' }],
  ['any browser', 'POST', { 'Sec-Fetch-Site': 'same-origin' }],
  ['an image', 'GET', {}],
  ['a form', 'POST', { 'Content-Type': 'text/plain' }],
  ['a form of another type', 'POST', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['another service', 'POST', { 'X-Amz-Target': 'Logs_20140328.PutLogEvents' }],
  ['no operation', 'POST', { 'X-Amz-Target': undefined }],
])('a request of %s is rejected, unreadable for pages', async (_who, method, changes) => {
  const { endpoint } = await givenCheck();

  const { status, headers, body } = await send(endpoint, method, changes);

  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toStrictEqual([]);
  expect(body).not.toContain('TableNames');
});

test('a lost emulator ends the connection, and a closed check frees its port', async () => {
  const { client, endpoint, close } = await givenCheck(await givenDeadAddress());

  await expect(client.send(new ListTablesCommand())).rejects.toMatchObject({ code: 'ECONNRESET' });
  await close();
  expect(await isListening(endpoint)).toBe(false);
});
