import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  GetItemCommand,
  ThrottlingException,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { QueueDoesNotExist, SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { createBusClient } from '../../../lib/events/bus.ts';
import { createQueueClient } from '../../../lib/webhooks/sqs-delivery-queue.ts';
import { CONFIG, givenDocuments, givenTransport, rejection } from '../../support/transport.ts';

describe('a request', () => {
  beforeEach(() => {
    for (const name of ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB', 'AWS_SESSION_TOKEN'])
      vi.stubEnv(name, '');
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKID');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  });
  afterEach(() => vi.unstubAllEnvs());

  const get = new GetCommand({ TableName: 't', Key: { id: 'x' } });

  it.each([
    ['the region', { AWS_REGION: 'eu-west-1' }, 'https://dynamodb.eu-west-1.amazonaws.com/'],
    ['a region of China', { AWS_REGION: 'cn-north-1' }, 'https://dynamodb.cn-north-1.amazonaws.com.cn/'],
    ['all services', { AWS_ENDPOINT_URL: 'http://a.example:1' }, 'http://a.example:1/'],
    [
      'its service',
      { AWS_ENDPOINT_URL: 'http://a.example', AWS_ENDPOINT_URL_DYNAMODB: 'http://b.example' },
      'http://b.example/',
    ],
  ])('goes to the endpoint of %s', async (_, environment, endpoint) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { requests, transport } = givenTransport({});
    await createDocumentClient({ transport }).send(get);
    expect(requests[0]?.endpoint.href).toBe(endpoint);
  });

  it.each(['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB'])(
    'needs a %s without a path, which the signature would not cover',
    (name) => {
      vi.stubEnv(name, 'http://a.example/proxy');
      expect(() => createDocumentClient()).toThrow(`${name} has a path: remove it`);
    },
  );

  it('has the credentials of the environment, with their session token', async () => {
    vi.stubEnv('AWS_SESSION_TOKEN', 'session');
    const { transport, headersOf } = givenTransport({});
    await createDocumentClient({ transport }).send(get);
    expect(headersOf(0)).toMatchObject({ 'x-amz-security-token': 'session' });
    expect(headersOf(0)['authorization']).toMatch(
      /Credential=AKID\/\d{8}\/eu-west-1\/dynamodb\/.*SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target,/,
    );
  });

  it.each([
    ['AWS_SECRET_ACCESS_KEY', { name: 'CredentialsProviderError' }],
    ['AWS_REGION', { message: 'Region is missing' }],
  ])('is not sent without %s', async (missing, error) => {
    vi.stubEnv(missing, '');
    const { requests, transport } = givenTransport({});
    await expect(createDocumentClient({ transport }).send(get)).rejects.toMatchObject(error);
    expect(requests).toHaveLength(0);
  });

  it('has new credentials in each attempt, if a function gives them', async () => {
    const { transport, headersOf } = givenTransport({ statusCode: 500 }, {});
    let call = 0;
    const credentials = async () => ({ accessKeyId: `AKID${(call += 1)}`, secretAccessKey: 's' });
    await createDocumentClient({ ...CONFIG, credentials, transport }).send(get);
    expect([0, 1].map((index) => /AKID\d/.exec(headersOf(index)['authorization'] ?? '')?.[0])).toStrictEqual([
      'AKID1',
      'AKID2',
    ]);
  });

  it('names the operation, and the protocol of its service', async () => {
    const { transport, headersOf } = givenTransport({});
    const config = { ...CONFIG, transport };
    await createDocumentClient(config).send(new GetItemCommand({ TableName: 't', Key: { id: { S: 'x' } } }));
    await createQueueClient(config).send(
      new SendMessageCommand({ QueueUrl: 'https://q.invalid', MessageBody: 'a' }),
    );
    await createBusClient(config).send(new PutEventsCommand({ Entries: [] }));
    expect(
      [0, 1, 2].map((index) => [headersOf(index)['x-amz-target'], headersOf(index)['content-type']]),
    ).toStrictEqual([
      ['DynamoDB_20120810.GetItem', 'application/x-amz-json-1.0'],
      ['AmazonSQS.SendMessage', 'application/x-amz-json-1.0'],
      ['AWSEvents.PutEvents', 'application/x-amz-json-1.1'],
    ]);
  });

  it.each([
    ['native values', new TransactWriteCommand({ TransactItems: [] })],
    ['an absent token', new TransactWriteCommand({ TransactItems: [], ClientRequestToken: undefined })],
    ['attribute values', new TransactWriteItemsCommand({ TransactItems: [] })],
  ])('gives both attempts of a transaction one token: %s', async (_, command) => {
    const { documents, requests } = givenDocuments({ statusCode: 500 }, {});
    await documents.send(command as TransactWriteCommand);
    const tokens = requests.map(
      ({ body }) => (JSON.parse(body) as Record<string, unknown>)['ClientRequestToken'],
    );
    expect(tokens[0]).toMatch(/^[\da-f-]{36}$/);
    expect(tokens[1]).toBe(tokens[0]);
  });
});

describe('values', () => {
  it('are marshalled at any depth, with bytes as base64, and without undefined ones', async () => {
    const { documents, requests } = givenDocuments({});
    const Item = {
      id: 'x',
      none: undefined,
      deep: [{ bytes: Buffer.from('a') }],
      set: new Set([Uint8Array.of(1)]),
    };
    await documents.send(new PutCommand({ TableName: 't', Item }));
    expect(JSON.parse(requests[0]?.body ?? '')).toStrictEqual({
      TableName: 't',
      Item: { id: { S: 'x' }, deep: { L: [{ M: { bytes: { B: 'YQ==' } } }] }, set: { BS: ['AQ=='] } },
    });
  });

  it('are unmarshalled, unless the command takes attribute values', async () => {
    const body = '{"Item":{"B":{"M":{"B":{"B":"YQ=="},"BS":{"BS":["AQ=="]}}}}}';
    const { documents } = givenDocuments({ body });
    const a = new Uint8Array(Buffer.from('a'));
    const one = Uint8Array.of(1);
    const read = await documents.send(new GetCommand({ TableName: 't', Key: { id: 'x' } }));
    expect(read.Item).toStrictEqual({ B: { B: a, BS: new Set([one]) } });
    const raw = await documents.send(new GetItemCommand({ TableName: 't', Key: { id: { S: 'x' } } }));
    expect(raw.Item).toStrictEqual({ B: { M: { B: { B: a }, BS: { BS: [one] } } } });
  });
});

describe('an error', () => {
  it('is the SDK’s exception, with its fields and metadata', async () => {
    const Item = { id: { S: 'x' }, bytes: { B: 'YQ==' } };
    const { failure } = givenDocuments(rejection('ConditionalCheckFailedException', { Item }));
    const error = await failure();
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error).toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'why',
      $fault: 'client',
      $metadata: { httpStatusCode: 400, requestId: 'R1', attempts: 1, totalRetryDelay: 0 },
      Item: { id: { S: 'x' }, bytes: { B: new Uint8Array(Buffer.from('a')) } },
    });
  });

  it('has the reasons of a cancelled transaction and of a throttle', async () => {
    const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
    const cancelled = await givenDocuments(
      rejection('TransactionCanceledException', { CancellationReasons }),
    ).failure();
    expect(cancelled).toBeInstanceOf(TransactionCanceledException);
    expect(cancelled).toMatchObject({ CancellationReasons });
    const throttlingReasons = [{ reason: 'TableWriteKeyRangeThroughputExceeded' }];
    const throttled = await givenDocuments(rejection('ThrottlingException', { throttlingReasons })).failure();
    expect(throttled).toBeInstanceOf(ThrottlingException);
    expect(throttled).toMatchObject({ throttlingReasons, $metadata: { attempts: 1 } });
  });

  it.each([
    ['a name of other services', rejection('Throttling'), { name: 'Throttling' }],
    ['a text for a body', { statusCode: 400, body: '"a"' }, { name: 'Unknown', message: 'UnknownError' }],
    ['an unknown name', rejection('Surprise'), { name: 'Surprise', message: 'why', $fault: 'client' }],
    [
      'a name in a header',
      { statusCode: 400, headers: { 'x-amzn-errortype': 'Odd:http://x' } },
      { name: 'Odd' },
    ],
    [
      'no body',
      { statusCode: 502, body: '' },
      { name: 'Unknown', message: 'UnknownError', $fault: 'server' },
    ],
  ])('with %s is the SDK’s base exception', async (_, response, expected) => {
    const error = await givenDocuments(response).failure();
    expect(error).toBeInstanceOf(DynamoDBServiceException);
    expect(error).toMatchObject(expected);
  });

  it('of a page instead of JSON is a SyntaxError with the status', async () => {
    const error = await givenDocuments({ statusCode: 503, body: '<html>' }).failure();
    expect(error).toMatchObject({ name: 'SyntaxError', $metadata: { httpStatusCode: 503, attempts: 2 } });
  });

  it.each(['null', '5', '"text"', '[]'])('with the JSON %s has only its status', async (body) => {
    const error = await givenDocuments({ statusCode: 503, body }).failure();
    expect(error).toBeInstanceOf(DynamoDBServiceException);
    expect(error).toMatchObject({ $fault: 'server', $metadata: { httpStatusCode: 503, attempts: 2 } });
    const { documents } = givenDocuments({ body });
    const read = await documents.send(new GetCommand({ TableName: 't', Key: { id: 'x' } }));
    expect(read).toMatchObject({ $metadata: { httpStatusCode: 200 } });
  });

  it('of SQS has the name of the SDK, by the code of its earlier protocol', async () => {
    const { transport } = givenTransport({
      statusCode: 400,
      headers: { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
      body: '{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"why"}',
    });
    const sent = createQueueClient({ ...CONFIG, transport }).send(
      new SendMessageCommand({ QueueUrl: 'https://q.invalid', MessageBody: 'a' }),
    );
    await expect(sent).rejects.toBeInstanceOf(QueueDoesNotExist);
  });
});
