import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { DynamoDBClient, GetItemCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { LOCAL_BUS, localClientConfig, localQueueUrl } from '../../../../infra/local-access/local-names.ts';
import { createAwsActions } from '../../../../infra/local/aws/aws-actions.ts';
import { startAwsEndpoint } from '../../../../infra/local/aws/aws-endpoint.ts';
import { createLocalBus } from '../../../../infra/local/aws/event-bus.ts';
import type { CalledQueue } from '../../../../infra/local/aws/queue.ts';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenDeadAddress, isListening } from '../../../support/http/addresses.ts';
import { sendAs } from '../../../support/http/gateway-client.ts';
import { selfSigned } from '../../../support/http/self-signed.ts';

/** A queue that keeps what it gets. */
const givenQueue = () => {
  const sent: Parameters<CalledQueue['send']>[0][number][] = [];
  const changed: (readonly [id: string, seconds: number])[] = [];
  let failure: Error | undefined;
  const queue: CalledQueue = {
    send: async (messages) => {
      if (failure) throw failure;
      sent.push(...messages);
      return messages.map(() => randomUUID());
    },
    changeVisibility: (id, seconds) => void changed.push([id, seconds]),
    receive: () => [],
    delete: async () => undefined,
    counts: () => ({ visible: 0, inFlight: 0 }),
  };
  return {
    queue,
    sent,
    changed,
    fail: (error: Error | undefined): void => {
      failure = error;
    },
  };
};

const givenEndpoint = async (target = inject('dynamodbEndpoint')) => {
  const [payments, deliveries] = [givenQueue(), givenQueue()];
  const printed: string[] = [];
  const bus = createLocalBus(
    payments.queue,
    (line) => printed.push(line),
    () => NOW_MS,
  );
  const actions = createAwsActions({ payments: payments.queue, delivery: deliveries.queue }, bus);
  const { url, close: end } = await startAwsEndpoint(target, actions);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());
  onTestFinished(close);
  const config = { ...localClientConfig(url), maxAttempts: 1 };
  const client = new DynamoDBClient(config);
  const sqs = new SQSClient(config);
  const eventBridge = new EventBridgeClient(config);
  onTestFinished(() => {
    for (const each of [client, sqs, eventBridge]) each.destroy();
  });
  return { endpoint: url, client, sqs, eventBridge, payments, deliveries, printed, close };
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

const call = (endpoint: string, method: string, changes: OutgoingHttpHeaders) => {
  const defined = Object.entries(callOf(changes)).filter(([, value]) => value !== undefined);
  return sendAs(endpoint, method, Object.fromEntries(defined), '{}');
};

test('a DynamoDB client gets the responses of the emulator, its errors included', async () => {
  const { client, endpoint } = await givenEndpoint();

  expect((await client.send(new ListTablesCommand())).TableNames).toBeInstanceOf(Array);
  const missing = new GetItemCommand({ TableName: 'missing', Key: { id: { S: '1' } } });
  await expect(client.send(missing)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  expect(await call(endpoint, 'POST', {})).toMatchObject({ status: 200 });
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
  ['no operation', 'POST', { 'X-Amz-Target': undefined }],
])('a request of %s is rejected, unreadable for pages', async (_who, method, changes) => {
  const { endpoint } = await givenEndpoint();

  const { status, headers, body } = await call(endpoint, method, changes);

  expect(status).toBe(403);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toStrictEqual([]);
  expect(body).not.toContain('TableNames');
});

test('a lost emulator ends the connection, and a closed endpoint frees its port', async () => {
  const { client, endpoint, close } = await givenEndpoint(await givenDeadAddress());

  await expect(client.send(new ListTablesCommand())).rejects.toMatchObject({ code: 'ECONNRESET' });
  await close();
  expect(await isListening(endpoint)).toBe(false);
});

test('a DynamoDB with https is called over TLS', async () => {
  const authorities = getCACertificates();
  const certificate = await selfSigned('localhost');
  setDefaultCACertificates([certificate.cert]);
  onTestFinished(() => setDefaultCACertificates(authorities));
  const server = createServer(certificate, (incoming, outgoing) => {
    incoming.resume();
    outgoing
      .writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end('{"TableNames":["over-tls"]}');
  });
  const port = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => server.close().closeAllConnections());
  const { client } = await givenEndpoint(`https://localhost:${port}`);

  expect((await client.send(new ListTablesCommand())).TableNames).toStrictEqual(['over-tls']);
});

describe('a client of SQS', () => {
  test('sends messages with their delays, and changes when received ones are visible', async () => {
    const { endpoint, sqs, deliveries, payments } = await givenEndpoint();
    const QueueUrl = localQueueUrl(endpoint, 'delivery');

    // The SDK verifies the digest of each body.
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{"é":1}' }));
    const Entries = ['a', 'b'].map((MessageBody, index) => ({
      Id: MessageBody,
      MessageBody,
      MessageGroupId: `store-${MessageBody}`,
      DelaySeconds: 300 * index,
    }));
    const { Successful } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const changes = [{ Id: '0', ReceiptHandle: 'handle', VisibilityTimeout: 7 }];
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: changes }));

    expect(deliveries.sent).toStrictEqual([
      { body: '{"é":1}', delaySeconds: 0, groupId: undefined },
      { body: 'a', delaySeconds: 0, groupId: 'store-a' },
      { body: 'b', delaySeconds: 300, groupId: 'store-b' },
    ]);
    expect(Successful?.map(({ Id }) => Id)).toStrictEqual(['a', 'b']);
    expect(deliveries.changed).toStrictEqual([['handle', 7]]);
    expect(payments.sent).toStrictEqual([]);
  });

  test.each(['', 'a b', 'é', 'a'.repeat(129)])(
    'gets the message group "%s" rejected',
    async (MessageGroupId) => {
      const { endpoint, sqs, deliveries } = await givenEndpoint();
      const message = { QueueUrl: localQueueUrl(endpoint, 'delivery'), MessageBody: 'a', MessageGroupId };
      await expect(sqs.send(new SendMessageCommand(message))).rejects.toMatchObject({
        name: 'InvalidParameterValue',
      });
      expect(deliveries.sent).toStrictEqual([]);
    },
  );

  test('is told that a queue or a call does not exist, and that a message is not stored', async () => {
    const { endpoint, sqs, deliveries } = await givenEndpoint();
    const QueueUrl = localQueueUrl(endpoint, 'delivery');
    const send = (url: string) => sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'a' }));

    await expect(send(`${endpoint}/0/other`)).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
    expect(await call(endpoint, 'POST', { 'X-Amz-Target': 'Logs_20140328.PutLogEvents' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('UnknownOperationException'),
    });
    deliveries.fail(new Error('The database does not respond'));
    await expect(send(QueueUrl)).rejects.toMatchObject({ $fault: 'server' });
  });
});

describe('a client of EventBridge', () => {
  const put = async (
    { eventBridge }: Awaited<ReturnType<typeof givenEndpoint>>,
    entry: PutEventsRequestEntry,
  ) => eventBridge.send(new PutEventsCommand({ Entries: [{ EventBusName: LOCAL_BUS, ...entry }] }));

  test('puts an event of a payment into the queue of payments, as the rule of the stack does', async () => {
    const stage = await givenEndpoint();
    const detail = { eventId: 'e-1', cartId: 'c-1' };
    const entry = { Source: 'payments', DetailType: 'payment.succeeded', Detail: JSON.stringify(detail) };

    expect(await put(stage, entry)).toMatchObject({
      FailedEntryCount: 0,
      Entries: [{ EventId: expect.any(String) }],
    });

    expect(stage.payments.sent.map(({ body }) => JSON.parse(body) as unknown)).toStrictEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'payment.succeeded',
        source: 'payments',
        time: new Date(NOW_MS).toISOString(),
        detail,
      },
    ]);
    expect(stage.printed).toStrictEqual([]);
  });

  test('prints an event of the service, without personal data', async () => {
    const stage = await givenEndpoint();
    const data = {
      id: 'c-1',
      status: 'completed',
      customerInfo: { email: 'ada@example.com' },
      meta: { a: 'b' },
    };
    const Detail = JSON.stringify({ id: 'evt_1', mode: 'test', data });

    await put(stage, { Source: 'cart-checkout', DetailType: 'cart.completed', Detail });

    expect(stage.printed.map((line) => JSON.parse(line) as unknown)).toStrictEqual([
      {
        source: 'cart-checkout',
        'detail-type': 'cart.completed',
        detail: { id: 'evt_1', mode: 'test', data: { id: 'c-1', status: 'completed' } },
      },
    ]);
    expect(stage.payments.sent).toStrictEqual([]);
  });

  test.each([
    ['another source', { Source: 'elsewhere', DetailType: 'payment.succeeded', Detail: '{}' }],
    ['another type', { Source: 'payments', DetailType: 'toString', Detail: '{}' }],
  ])('has no rule for an event of %s', async (_, entry) => {
    const stage = await givenEndpoint();
    expect(await put(stage, entry)).toMatchObject({ FailedEntryCount: 0 });
    expect([stage.payments.sent, stage.printed]).toStrictEqual([[], []]);
  });

  test.each(['nonsense', '1', 'null'])('gets an event with the detail %s rejected', async (Detail) => {
    const stage = await givenEndpoint();
    const { FailedEntryCount, Entries } = await put(stage, {
      Source: 'payments',
      DetailType: 'payment.succeeded',
      Detail,
    });
    expect([FailedEntryCount, Entries?.[0]?.ErrorCode]).toStrictEqual([1, 'MalformedDetail']);
    expect(stage.payments.sent).toStrictEqual([]);
  });
});
