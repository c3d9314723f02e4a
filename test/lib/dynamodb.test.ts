import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { afterEach, describe, expect, it } from 'vitest';
import { localClientConfig } from '../../infra/local/local-database.ts';
import {
  createDocumentClient,
  DATABASE_BUDGET_MS,
  DatabaseContentionError,
  isDatabaseUnavailable,
  isThrottle,
  TableThrottledError,
} from '../../lib/dynamodb.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A database that answers as it is told, and counts. */
const givenServer = async (listener: RequestListener) => {
  const server = createServer((request, response) => {
    calls += 1;
    request.resume().once('end', () => listener(request, response));
  });
  let calls = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    server,
    calls: () => calls,
    config: localClientConfig(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  };
};

/** What a read ends in. */
const failureOf = async (
  config: Parameters<typeof createDocumentClient>[0],
  abortSignal?: AbortSignal,
): Promise<unknown> => {
  const command = new GetCommand({ TableName: 'carts', Key: { id: 'x' } });
  try {
    await createDocumentClient(config).send(command, { ...(abortSignal && { abortSignal }) });
    return undefined;
  } catch (error) {
    return error;
  }
};

const json = (status: number, type: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type: type, message: 'not for clients' }));
};

const ONE_ATTEMPT = new StandardRetryStrategy(1);

const THROTTLES = [
  'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  'com.amazon.coral.availability#ThrottlingException',
  'com.amazonaws.dynamodb.v20120810#RequestLimitExceeded',
] as const;

describe('a refusal of DynamoDB for haste', () => {
  it.each(THROTTLES)('is a throttle, and passes: %s', async (type) => {
    const { config } = await givenServer((_, response) => json(400, type)(response));
    const failure = await failureOf({ ...config, retryStrategy: ONE_ATTEMPT });
    expect(failure).toBeInstanceOf(Error);
    expect([isThrottle(failure), isDatabaseUnavailable(failure)]).toStrictEqual([true, true]);
  });

  it.each(THROTTLES)('is told at once, since a repetition would wait up to a second: %s', async (type) => {
    const { config, calls } = await givenServer((_, response) => json(400, type)(response));
    expect(isThrottle(await failureOf(config))).toBe(true);
    expect(calls()).toBe(1);
  });
});

describe('an outage', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['an internal error', json(500, 'com.amazonaws.dynamodb.v20120810#InternalServerError')],
    ['no service', json(503, 'com.amazonaws.dynamodb.v20120810#ServiceUnavailable')],
    ['an unknown error of the server', json(500, 'com.amazonaws.dynamodb.v20120810#Surprise')],
    ['a bad gateway without a body', (response) => response.writeHead(502).end()],
    ['a 503 whose body is a page', (response) => response.writeHead(503).end('<html>Unavailable</html>')],
    ['a 200 whose body is a page', (response) => response.end('<html>Welcome</html>')],
    ['an answer that is no HTTP', (response) => response.socket?.end('garbage\r\n\r\n')],
    [
      'a write of another transaction',
      json(400, 'com.amazonaws.dynamodb.v20120810#TransactionConflictException'),
    ],
    [
      'a write of another region',
      json(400, 'com.amazonaws.dynamodb.v20120810#ReplicatedWriteConflictException'),
    ],
    ['a connection closed', (response) => response.socket?.destroy()],
    ['a connection reset', (response) => response.socket?.resetAndDestroy()],
    [
      'an answer cut short',
      (response) => response.writeHead(200, { 'Content-Length': 9 }).write('{', () => response.destroy()),
    ],
  ])('passes, and is no throttle: %s', async (_, answer) => {
    const { config } = await givenServer((__, response) => answer(response));
    const failure = await failureOf({ ...config, retryStrategy: ONE_ATTEMPT });
    expect(failure).toBeInstanceOf(Error);
    expect([isThrottle(failure), isDatabaseUnavailable(failure)]).toStrictEqual([false, true]);
  });

  it('may be a port that nobody listens to', async () => {
    const { server, config } = await givenServer(() => undefined);
    server.close();
    expect(isDatabaseUnavailable(await failureOf({ ...config, retryStrategy: ONE_ATTEMPT }))).toBe(true);
  });

  it.each([
    ['before the answer', (response: ServerResponse) => response],
    [
      'amid the answer',
      (response: ServerResponse) => response.writeHead(200, { 'Content-Length': 9 }).write('{'),
    ],
  ])('may be a call given up %s', async (_, begin) => {
    const controller = new AbortController();
    const { config } = await givenServer((__, response) => {
      begin(response);
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
    expect(isDatabaseUnavailable(await failureOf(config, controller.signal))).toBe(true);
  });

  it('may be a call that came too late to be made', async () => {
    const { config, calls } = await givenServer((_, response) => response.end('{}'));
    expect(isDatabaseUnavailable(await failureOf(config, AbortSignal.abort()))).toBe(true);
    expect(calls()).toBe(0);
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ])('may be the network: %s', (code) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('network'), { code }))).toBe(true);
  });

  it.each([
    ['by whose fault it is', { $fault: 'server' }],
    ['by its status', { $metadata: { httpStatusCode: 500 } }],
  ])('may be told %s alone', (_, properties) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('any'), properties))).toBe(true);
  });

  it('may be a table that throttles batch after batch', () => {
    const throttled = new TableThrottledError();
    expect([isThrottle(throttled), isDatabaseUnavailable(throttled)]).toStrictEqual([true, true]);
  });

  it('may be other writers that always came first', () => {
    const contention = new DatabaseContentionError();
    expect([isThrottle(contention), isDatabaseUnavailable(contention)]).toStrictEqual([false, true]);
  });
});

describe('a fault of ours', () => {
  it.each([
    'com.amazon.coral.validate#ValidationException',
    'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException',
    'com.amazonaws.dynamodb.v20120810#AccessDeniedException',
    'com.amazonaws.dynamodb.v20120810#UnrecognizedClientException',
  ])('does not pass by waiting: %s', async (type) => {
    const { config } = await givenServer((_, response) => json(400, type)(response));
    const failure = await failureOf({ ...config, retryStrategy: ONE_ATTEMPT });
    expect(failure).toBeInstanceOf(Error);
    expect([isThrottle(failure), isDatabaseUnavailable(failure)]).toStrictEqual([false, false]);
  });

  it.each([
    new Error('TimeoutError'),
    new TypeError('ThrottlingException'),
    Object.assign(new Error('file'), { code: 'ENOENT' }),
    Object.assign(new Error('client'), { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
    new SyntaxError('JSON of a client'),
    // Its code is a number.
    new DOMException('client', 'DataCloneError'),
    'ThrottlingException',
    { name: 'ThrottlingException' },
    undefined,
    null,
  ])('is what is told neither by name nor by code: %o', (failure) => {
    expect([isThrottle(failure), isDatabaseUnavailable(failure)]).toStrictEqual([false, false]);
  });
});

describe('the document client', () => {
  it('tries twice and no more', async () => {
    const { config, calls } = await givenServer((_, response) => json(500, 'InternalServerError')(response));
    expect(isDatabaseUnavailable(await failureOf(config))).toBe(true);
    expect(calls()).toBe(2);
  });

  it('heals one dropped connection', async () => {
    let isFirst = true;
    const { config, calls } = await givenServer((_, response) => {
      if (isFirst) response.socket?.destroy();
      else response.end('{}');
      isFirst = false;
    });
    expect(await failureOf(config)).toBeUndefined();
    expect(calls()).toBe(2);
  });

  it('does not repeat what was its own fault', async () => {
    const { config, calls } = await givenServer((_, response) => json(400, 'ValidationException')(response));
    expect(await failureOf(config)).toBeInstanceOf(Error);
    expect(calls()).toBe(1);
  });

  it('gives a call 2 s and throws when they are over', async () => {
    const { config } = await givenServer((_, response) => response.end('{}'));
    const documents = createDocumentClient(config);
    await documents.send(new GetCommand({ TableName: 'carts', Key: { id: 'x' } }));
    const handler = documents.config.requestHandler as unknown as { httpHandlerConfigs(): object };
    expect(handler.httpHandlerConfigs()).toMatchObject({
      requestTimeout: 2_000,
      throwOnRequestTimeout: true,
    });
  });

  it('leaves a request 4 s for all its calls, less than Lambda and the gateway wait', () => {
    expect(DATABASE_BUDGET_MS).toBe(4_000);
  });
});
