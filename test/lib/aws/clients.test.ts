import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { createAuthenticator } from '../../../lib/api-keys/authenticator.ts';
import { createStoredBucket } from '../../../lib/api-keys/stored-bucket.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { DATABASE_BUDGET_MS } from '../../../lib/database/documents.ts';
import { storedKey } from '../../support/domain/bucket.ts';
import {
  begin,
  dynamodbError,
  get,
  givenServer,
  json,
  ONE_ATTEMPT,
  readFrom,
  type Respond,
} from '../../support/http/faulty-server.ts';

const NEW_BUCKET = { limit: 60, windowSeconds: 60, tatMicros: 0 };

/** A throttle of a table's writes for these reasons. `ThrottlingException` spells their name in its own case. */
const throttle = (name: string, ...reasons: readonly string[]): Respond =>
  dynamodbError(400, name, {
    [name === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons']: reasons.map((reason) => ({
      reason: `TableWrite${reason}`,
      resource: 'arn:aws:dynamodb:eu-west-1:123456789012:table/api-keys',
    })),
  });

describe('a call that DynamoDB rejects because of the machine’s clock', () => {
  it('is resent with the same body, whose time is the gateway’s', async () => {
    const bodies: string[] = [];
    const { config } = await givenServer((response, body) => {
      bodies.push(body);
      response.setHeader('x-amzn-requestid', String(bodies.length));
      const expired = { message: 'Signature expired: 20260115T123000Z is now earlier than 20260115T122500Z' };
      if (bodies.length === 1)
        return dynamodbError(400, 'InvalidSignatureException', expired)(response, body);
      return response.end(JSON.stringify({ Attributes: marshall(storedKey(NEW_BUCKET)) }));
    });
    const bucket = createStoredBucket(createDocumentClient(config), 'api-keys');
    const requestTimeMs = Date.now();
    const keyId = apiKeyId(generateApiKey('test'));
    const verdict = await createAuthenticator(bucket).authenticate(keyId, () => requestTimeMs);

    expect(verdict).toMatchObject({ outcome: 'authenticated' });
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      ExpressionAttributeValues: { ':nowMs': { N: String(requestTimeMs) } },
    });
  });
});

const CONNECTIONS = 10;

/** A client with ten idle connections, which a firewall has forgotten: it resets each at the next call. */
const givenLostConnections = async () => {
  const lost = new Set<Socket | null>();
  const waiting: ServerResponse[] = [];
  const { config } = await givenServer((response) => {
    const { socket } = response;
    if (lost.has(socket)) return socket?.resetAndDestroy();
    if (lost.size === CONNECTIONS) return response.end('{}');
    // All at the same time, so that each call has a connection of its own.
    waiting.push(response);
    if (waiting.length < CONNECTIONS) return undefined;
    for (const each of waiting) {
      lost.add(each.socket);
      each.end('{}');
    }
    return undefined;
  });
  const documents = createDocumentClient(config);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => documents.send(get())));
  expect(lost.size).toBe(CONNECTIONS);
  return documents;
};

describe('ten idle connections that the network has lost', () => {
  it('fail none of ten calls, one after the other', async () => {
    const documents = await givenLostConnections();
    for (let call = 0; call < CONNECTIONS; call += 1) {
      expect((await documents.send(get())).$metadata.attempts).toBe(call === 0 ? 2 : 1);
    }
  });

  it('fail none of ten calls at the same time', async () => {
    const documents = await givenLostConnections();
    const calls = Array.from({ length: CONNECTIONS }, () => documents.send(get()));
    for (const { $metadata } of await Promise.all(calls)) expect($metadata.attempts).toBe(2);
  });
});

describe('the document client', () => {
  it.each<[string, calls: number, Respond]>([
    ['outage', 3, dynamodbError(500, 'InternalServerError')],
    ['outage', 3, (response) => response.socket?.destroy()],
    ['outage', 3, (response) => response.socket?.end('garbage\r\n\r\n')],
    // A retry would wait up to a second.
    ['throttle', 1, dynamodbError(400, 'ProvisionedThroughputExceededException')],
    ['throttle', 1, dynamodbError(400, 'ThrottlingException')],
    ['throttle', 1, json(400, 'com.amazon.coral.availability#ThrottlingException')],
    ['throttle', 1, dynamodbError(400, 'RequestLimitExceeded')],
    ['hot key throttle', 1, throttle('ProvisionedThroughputExceededException', 'KeyRangeThroughputExceeded')],
    ['hot key throttle', 1, throttle('ThrottlingException', 'KeyRangeThroughputExceeded')],
    ['hot key throttle', 1, throttle('RequestLimitExceeded', 'KeyRangeThroughputExceeded')],
    ['throttle', 1, throttle('ThrottlingException', 'MaxOnDemandThroughputExceeded')],
    ['throttle', 1, throttle('RequestLimitExceeded', 'AccountLimitExceeded')],
    ['throttle', 1, throttle('ProvisionedThroughputExceededException', 'ProvisionedThroughputExceeded')],
    ['throttle', 1, throttle('ThrottlingException', 'KeyRangeThroughputExceeded', 'AccountLimitExceeded')],
    ['throttle', 1, throttle('ThrottlingException')],
    ['defect', 1, dynamodbError(400, 'ValidationException')],
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

  it('ends a call if the body of its response takes 2 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const waiting = Promise.withResolvers<ServerResponse>();
    const { config } = await givenServer((response) => waiting.resolve(response));
    const outcome = readFrom({ ...config, ...ONE_ATTEMPT });
    const ended = vi.fn();
    void outcome.then(ended);
    const response = await waiting.promise;
    await vi.advanceTimersByTimeAsync(1_999);
    const headers = Promise.withResolvers<unknown>();
    subscribe('http.client.response.finish', headers.resolve);
    onTestFinished(() => void unsubscribe('http.client.response.finish', headers.resolve));
    begin(response);
    await headers.promise;
    await vi.advanceTimersByTimeAsync(1_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe('outage');
  });

  it('reads a response that arrives in parts', async () => {
    const Item = { id: 'x', name: 'é'.repeat(200_000) };
    const { config } = await givenServer((response) => {
      const bytes = Buffer.from(JSON.stringify({ Item: marshall(Item) }));
      // Within a character.
      response.write(bytes.subarray(0, 100_001), () => response.end(bytes.subarray(100_001)));
    });
    expect((await createDocumentClient(config).send(get())).Item).toStrictEqual(Item);
  });

  it('leaves undefined values out, and gives each attempt of a transaction the same token', async () => {
    const bodies: string[] = [];
    const { config } = await givenServer((response, body) => {
      bodies.push(body);
      response.writeHead(bodies.length === 2 ? 500 : 200).end('{}');
    });
    const documents = createDocumentClient(config);
    await documents.send(new PutCommand({ TableName: 't', Item: { id: 'x', deep: [{ none: undefined }] } }));
    await documents.send(new TransactWriteCommand({ TransactItems: [] }));
    expect(JSON.parse(bodies[0] ?? '')).toStrictEqual({
      TableName: 't',
      Item: { id: { S: 'x' }, deep: { L: [{ M: {} }] } },
    });
    const tokens = bodies
      .slice(1)
      .map((body) => (JSON.parse(body) as Record<string, unknown>)['ClientRequestToken']);
    expect(tokens).toStrictEqual([tokens[0], tokens[0]]);
    expect(tokens[0]).toMatch(/^[\da-f-]{36}$/);
  });
});
