import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { localClientConfig } from '../../infra/local/local-database.ts';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { createAuthenticator } from '../../lib/api-keys/authenticator.ts';
import { createStoredBucket } from '../../lib/api-keys/stored-bucket.ts';
import {
  createDocumentClient,
  DATABASE_BUDGET_MS,
  DatabaseContentionError,
  isItemThrottle,
  isThrottle,
  isUnavailable,
  TableThrottledError,
} from '../../lib/dynamodb.ts';
import { TrueClock } from '../../lib/core/true-clock.ts';
import { storedKey } from '../support/bucket.ts';

type Respond = (response: ServerResponse, body: string) => unknown;

/** A database that responds as given, and counts its calls. */
const givenServer = async (respond: Respond) => {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    void text(request).then((body) => respond(response, body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const config = localClientConfig(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { calls: () => calls, config };
};

const NEW_BUCKET = { limit: 60, windowSeconds: 60, tatMicros: 0 };

const ONE_ATTEMPT = { retryStrategy: new StandardRetryStrategy(1) };

/** The error of a read, and whether it counts as a throttle and as an outage. */
const readFrom = async (config: Parameters<typeof createDocumentClient>[0], abortSignal?: AbortSignal) => {
  const command = new GetCommand({ TableName: 'carts', Key: { id: 'x' } });
  try {
    await createDocumentClient(config).send(command, { ...(abortSignal && { abortSignal }) });
    return 'success';
  } catch (error) {
    return kindOf(error);
  }
};

const kindOf = (error: unknown): string => {
  if (isItemThrottle(error)) return isThrottle(error) ? 'item throttle' : 'item throttle only';
  if (isThrottle(error)) return isUnavailable(error) ? 'throttle' : 'throttle only';
  return isUnavailable(error) ? 'outage' : 'defect';
};

const json =
  (status: number, type: string, fields: object = {}): Respond =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: type, message: 'not for clients', ...fields }));

/** Sends a part of a response. */
const begin = (response: ServerResponse, onSent = () => {}) =>
  response.writeHead(200, { 'Content-Length': 9 }).write('{', onSent);

const dynamodb = (status: number, name: string, fields?: object) =>
  json(status, `com.amazonaws.dynamodb.v20120810#${name}`, fields);

/** A throttle of a table's writes for these reasons. `ThrottlingException` spells their name in its own case. */
const throttle = (name: string, ...reasons: readonly string[]): Respond =>
  dynamodb(400, name, {
    [name === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons']: reasons.map((reason) => ({
      reason: `TableWrite${reason}`,
      resource: 'arn:aws:dynamodb:eu-west-1:123456789012:table/api-keys',
    })),
  });

describe('a failed call', () => {
  it.each<[kind: string, name: string, Respond]>([
    ['outage', 'an internal error', dynamodb(500, 'InternalServerError')],
    ['outage', 'an unavailable service', dynamodb(503, 'ServiceUnavailable')],
    ['outage', 'an unknown server error', dynamodb(500, 'Surprise')],
    ['outage', 'a bad gateway without a body', (response) => response.writeHead(502).end()],
    ['outage', 'a 503 with a page', (response) => response.writeHead(503).end('<html>Unavailable</html>')],
    ['outage', 'a 200 with a page', (response) => response.end('<html>Welcome</html>')],
    ['outage', 'a response that is not HTTP', (response) => response.socket?.end('garbage\r\n\r\n')],
    ['outage', 'the write of another transaction', dynamodb(400, 'TransactionConflictException')],
    ['outage', 'an earlier attempt that still runs', dynamodb(400, 'TransactionInProgressException')],
    ['outage', 'the write of another region', dynamodb(400, 'ReplicatedWriteConflictException')],
    ['outage', 'a closed connection', (response) => response.socket?.destroy()],
    ['outage', 'a reset connection', (response) => response.socket?.resetAndDestroy()],
    ['outage', 'a truncated response', (response) => begin(response, () => response.destroy())],
    ['defect', 'an invalid request', json(400, 'com.amazon.coral.validate#ValidationException')],
    ['defect', 'a missing table', dynamodb(400, 'ResourceNotFoundException')],
    ['defect', 'missing permissions', dynamodb(400, 'AccessDeniedException')],
    ['defect', 'unknown credentials', dynamodb(400, 'UnrecognizedClientException')],
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

  it('is an outage, and is never sent, if its signal has ended', async () => {
    const { config, calls } = await givenServer((response) => response.end('{}'));
    expect(await readFrom(config, AbortSignal.abort())).toBe('outage');
    expect(calls()).toBe(0);
  });
});

describe('an error', () => {
  const NETWORK = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

  it.each([
    ...[...NETWORK, 'ENOTFOUND', 'EAI_AGAIN', 'HPE_INVALID_CONSTANT'].map((code) => ({ code })),
    { $fault: 'server' },
    { $metadata: { httpStatusCode: 500 } },
    ...['TimeoutError', 'AbortError'].map((name) => ({ name })),
  ])('is an outage by this property alone: %o', (properties) => {
    expect(kindOf(Object.assign(new Error('any'), properties))).toBe('outage');
  });

  it('is an outage if other writers always come first, and a throttle if a table throttles every batch', () => {
    const errors = [new DatabaseContentionError(), new TableThrottledError()];
    expect(errors.map((error) => [error.name, kindOf(error)])).toStrictEqual([
      ['DatabaseContentionError', 'outage'],
      ['TableThrottledError', 'throttle'],
    ]);
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
  ])('is a defect without such a name, code or status: %o', (error) => {
    expect(kindOf(error)).toBe('defect');
  });
});

describe('a call that DynamoDB rejects because of the machine’s clock', () => {
  it('is resent with the same body, whose time is the gateway’s', async () => {
    const bodies: string[] = [];
    const { config } = await givenServer((response, body) => {
      bodies.push(body);
      response.setHeader('x-amzn-requestid', String(bodies.length));
      const expired = { message: 'Signature expired: 20260115T123000Z is now earlier than 20260115T122500Z' };
      if (bodies.length === 1) return dynamodb(400, 'InvalidSignatureException', expired)(response, body);
      return response.end(JSON.stringify({ Attributes: marshall(storedKey(NEW_BUCKET)) }));
    });
    const machine = { machineNow: () => Date.now() + 86_400_000, monotonicNow: () => 0 };
    const clock = new TrueClock(machine);
    const bucket = createStoredBucket(createDocumentClient(config, clock), 'api-keys');
    const requestTimeMs = Date.now();
    const ofRequest = clock.during(requestTimeMs);
    const verdict = await createAuthenticator(bucket).admit(generateApiKey('test'), ofRequest);

    expect(verdict).toMatchObject({ outcome: 'admitted' });
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      ExpressionAttributeValues: { ':nowMs': { N: String(requestTimeMs) } },
    });
    expect(clock.now()).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});

describe('the document client', () => {
  it.each<[string, calls: number, Respond]>([
    ['outage', 2, dynamodb(500, 'InternalServerError')],
    // A retry would wait up to a second.
    ['throttle', 1, dynamodb(400, 'ProvisionedThroughputExceededException')],
    ['throttle', 1, dynamodb(400, 'ThrottlingException')],
    ['throttle', 1, json(400, 'com.amazon.coral.availability#ThrottlingException')],
    ['throttle', 1, dynamodb(400, 'RequestLimitExceeded')],
    ['item throttle', 1, throttle('ProvisionedThroughputExceededException', 'KeyRangeThroughputExceeded')],
    ['item throttle', 1, throttle('ThrottlingException', 'KeyRangeThroughputExceeded')],
    ['item throttle', 1, throttle('RequestLimitExceeded', 'KeyRangeThroughputExceeded')],
    ['throttle', 1, throttle('ThrottlingException', 'MaxOnDemandThroughputExceeded')],
    ['throttle', 1, throttle('RequestLimitExceeded', 'AccountLimitExceeded')],
    ['throttle', 1, throttle('ProvisionedThroughputExceededException', 'ProvisionedThroughputExceeded')],
    ['throttle', 1, throttle('ThrottlingException', 'KeyRangeThroughputExceeded', 'AccountLimitExceeded')],
    ['throttle', 1, throttle('ThrottlingException')],
    ['defect', 1, dynamodb(400, 'ValidationException')],
  ])('reports the %s after %d calls', async (kind, expected, respond) => {
    const { config, calls } = await givenServer(respond);
    expect(await readFrom(config)).toBe(kind);
    expect(calls()).toBe(expected);
  });

  it('heals one dropped connection', async () => {
    const { config, calls } = await givenServer((response) =>
      calls() === 1 ? response.socket?.destroy() : response.end('{}'),
    );
    expect(await readFrom(config)).toBe('success');
    expect(calls()).toBe(2);
  });

  it('ends a call after 2 s, and all calls of a request after 4 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { config } = await givenServer(() => undefined);
    const outcome = readFrom({ ...config, ...ONE_ATTEMPT });
    const ended = vi.fn();
    void outcome.then(ended);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe('outage');
    expect(DATABASE_BUDGET_MS).toBe(4_000);
  });
});
