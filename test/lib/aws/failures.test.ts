import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { describe, expect, it, vi } from 'vitest';
import { localClientConfig } from '../../../infra/local-access/local-names.ts';
import { createBusClient, createDocumentClient, createQueueClient } from '../../../lib/aws/clients.ts';
import { describeFailure } from '../../../lib/telemetry/failure.ts';
import {
  begin,
  dynamodbError,
  failureOf,
  get,
  givenServer,
  json,
  ONE_ATTEMPT,
  readFrom,
  type Respond,
} from '../../support/http/faulty-server.ts';

describe('a failed call', () => {
  it.each<[kind: string, name: string, Respond]>([
    ['outage', 'an internal error', dynamodbError(500, 'InternalServerError')],
    ['outage', 'an unavailable service', dynamodbError(503, 'ServiceUnavailable')],
    ['outage', 'an unknown server error', dynamodbError(500, 'Surprise')],
    ['outage', 'a bad gateway without a body', (response) => response.writeHead(502).end()],
    ['outage', 'a 503 with a page', (response) => response.writeHead(503).end('<html>Unavailable</html>')],
    ['outage', 'a 200 with a page', (response) => response.end('<html>Welcome</html>')],
    ['outage', 'a response that is not HTTP', (response) => response.socket?.end('garbage\r\n\r\n')],
    ['outage', 'the write of another transaction', dynamodbError(400, 'TransactionConflictException')],
    // The SDK counts it as a throttle: the first attempt of the same transaction still runs.
    ['throttle', 'an earlier attempt that still runs', dynamodbError(400, 'TransactionInProgressException')],
    ['outage', 'the write of another region', dynamodbError(400, 'ReplicatedWriteConflictException')],
    ['outage', 'a closed connection', (response) => response.socket?.destroy()],
    ['outage', 'a reset connection', (response) => response.socket?.resetAndDestroy()],
    ['outage', 'a truncated response', (response) => begin(response, () => response.destroy())],
    ['defect', 'an invalid request', json(400, 'com.amazon.coral.validate#ValidationException')],
    ['setup', 'a missing table', dynamodbError(400, 'ResourceNotFoundException')],
    ['setup', 'missing permissions', dynamodbError(400, 'AccessDeniedException')],
    ['setup', 'unknown credentials', dynamodbError(400, 'UnrecognizedClientException')],
  ])('is a %s: %s', async (kind, _, respond) => {
    const { config } = await givenServer(respond);
    expect(await readFrom({ ...config, ...ONE_ATTEMPT })).toBe(kind);
  });

  it.each<[string, Respond]>([
    ['before the response', () => undefined],
    ['during the response', (response) => begin(response)],
  ])('is an outage if its signal ends it %s', async (_, respond) => {
    const controller = new AbortController();
    const { config } = await givenServer((response, body) => {
      respond(response, body);
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
    expect(await readFrom(config, controller.signal)).toBe('outage');
  });

  it('is an outage if nobody listens to the port', async () => {
    expect(await readFrom({ ...localClientConfig('http://127.0.0.1:1'), ...ONE_ATTEMPT })).toBe('outage');
  });

  it.each<[name: string, code: string, calls: number, Parameters<typeof createDocumentClient>[0]]>([
    ['TimeoutError', 'HPE_INVALID_CONSTANT', 3, {}],
    // Node.js rejects the header of the signature.
    ['TypeError', 'ERR_INVALID_CHAR', 0, { credentials: { accessKeyId: '\n', secretAccessKey: 'any' } }],
  ])('is logged as a %s with the code %s after %d calls', async (name, code, expected, options) => {
    const { config, calls } = await givenServer((response) => response.socket?.end('garbage\r\n\r\n'));
    const call = createDocumentClient({ ...config, ...options }).send(get());
    expect(await call.catch(describeFailure)).toMatchObject({ name, code });
    expect(calls()).toBe(expected);
  });

  it('keeps its name and is not retried if it has no code, as a defect', async () => {
    const handle = vi.spyOn(NodeHttpHandler.prototype, 'handle').mockRejectedValue(new Error('a defect'));
    const call = createDocumentClient(localClientConfig('http://127.0.0.1:1')).send(get());
    await expect(call).rejects.toHaveProperty('name', 'Error');
    expect(handle).toHaveBeenCalledOnce();
  });

  it('reaches an IPv6 address', async () => {
    const call = createDocumentClient({ ...localClientConfig('http://[::1]:1'), ...ONE_ATTEMPT }).send(get());
    // Not `ENOTFOUND`: the address is not looked up as a name. Without IPv6, it is not available.
    await expect(call).rejects.toHaveProperty(
      'code',
      expect.stringMatching(/^(ECONNREFUSED|EADDRNOTAVAIL)$/),
    );
  });

  it('is an outage, and is never sent, if its signal has ended', async () => {
    const { config, calls } = await givenServer((response) => response.end('{}'));
    expect(await readFrom(config, AbortSignal.abort())).toBe('outage');
    expect(calls()).toBe(0);
  });
});

describe('the clients of SQS and EventBridge', () => {
  const QueueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/queue';
  const sendMessage = () => createQueueClient().send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }));
  const putEvents = () => createBusClient().send(new PutEventsCommand({ Entries: [] }));

  const sqs = (name: string, code: string): Respond => {
    const respond = json(400, `com.amazonaws.sqs#${name}`);
    return (response, body) => {
      response.setHeader('x-amzn-query-error', `${code};Sender`);
      respond(response, body);
    };
  };

  it.each<[kind: string, calls: number, name: string, () => Promise<unknown>, Respond]>([
    ['outage', 3, 'an internal error of SQS', sendMessage, json(500, 'InternalFailure')],
    ['throttle', 1, 'a throttled queue', sendMessage, sqs('RequestThrottled', 'RequestThrottled')],
    ['throttle', 1, 'a throttled key', sendMessage, sqs('KmsThrottled', 'KMS.ThrottlingException')],
    [
      'setup',
      1,
      'a missing queue',
      sendMessage,
      sqs('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'),
    ],
    ['setup', 1, 'no permission for a queue', sendMessage, sqs('AccessDeniedException', 'AccessDenied')],
    ['setup', 1, 'a disabled key', sendMessage, sqs('KmsDisabled', 'KMS.DisabledException')],
    ['defect', 1, 'invalid text', sendMessage, sqs('InvalidMessageContents', 'InvalidMessageContents')],
    ['outage', 3, 'an internal error of EventBridge', putEvents, json(500, 'InternalException')],
    ['throttle', 1, 'a throttled bus', putEvents, json(400, 'ThrottlingException')],
    ['setup', 1, 'a missing bus', putEvents, json(400, 'ResourceNotFoundException')],
    ['setup', 1, 'no permission for a bus', putEvents, json(400, 'AccessDeniedException')],
    ['defect', 1, 'an invalid event', putEvents, json(400, 'ValidationException')],
  ])(
    'report the %s after %d calls of the environment’s endpoint: %s',
    async (kind, expected, _, call, respond) => {
      const { endpoint, calls } = await givenServer(respond);
      vi.stubEnv('AWS_ENDPOINT_URL_SQS', endpoint);
      vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', endpoint);
      expect(await failureOf(call())).toBe(kind);
      expect(calls()).toBe(expected);
    },
  );
});
