import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../lib/api-keys/api-key.ts';
import { expectError } from '../support/expect-error.ts';
import {
  type DatabaseCall,
  type FaultyService,
  givenFaultyService,
  INTERNAL_TEXT,
  OUTAGES,
  THROTTLES,
  watchRejections,
} from '../support/faulty-service.ts';
import { type ApiResponse, cartBody, givenService } from '../support/service.ts';

let faulty: FaultyService;
let rejections: ReturnType<typeof watchRejections>;

beforeEach(async () => {
  rejections = watchRejections();
  faulty = await givenFaultyService();
});

afterEach(async () => {
  expect(await rejections.stop(), 'unhandled rejections').toStrictEqual([]);
});

const FAULTS = Object.entries({ ...THROTTLES, ...OUTAGES });
const OPERATIONS = ['createCart', 'getCart'] as const;
type Operation = (typeof OPERATIONS)[number];

const ask = (operation: Operation, apiKey?: string): Promise<ApiResponse> =>
  faulty.operations[operation](apiKey);

const fail = (call: DatabaseCall, fault: () => Error): void => {
  faulty.when(call, () => Promise.reject(fault()));
};

const expectUnavailable = (answer: ApiResponse): void => {
  expectError(answer, 'serviceUnavailable');
  expect(answer.bodyText).toBe(
    '{"code":"SERVICE_UNAVAILABLE","message":"The service is temporarily unavailable. Please retry later."}',
  );
  expect(answer.headers['retry-after']).toBe('1');
  expect(JSON.stringify(answer.headers)).not.toContain(INTERNAL_TEXT);
};

const expectHotKey = (answer: ApiResponse): void => {
  expectError(answer, 'rateLimited');
  expect(answer.bodyText).toBe('{"code":"RATE_LIMITED","message":"Too many requests. Please retry later."}');
  expect(answer.headers).toMatchObject({
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.UTC(2026, 0, 15, 12, 30, 2) / 1_000),
    'retry-after': '1',
  });
};

/** What a failed key means to a client: a throttled item is its own haste, all else is ours. */
const expectKeyFault = (name: string): ((answer: ApiResponse) => void) =>
  name in THROTTLES ? expectHotKey : expectUnavailable;

/** A call that is settled by hand. */
const hold = (call: DatabaseCall) => {
  const held = Promise.withResolvers<unknown>();
  const asked = Promise.withResolvers<void>();
  faulty.when(call, () => {
    asked.resolve();
    return held.promise;
  });
  return { ...held, asked: asked.promise };
};

const failedCondition = (item: Record<string, unknown> | undefined) => (): Error =>
  new ConditionalCheckFailedException({
    message: INTERNAL_TEXT,
    $metadata: {},
    ...(item && { Item: marshall(item) }),
  });

const unknownKey = failedCondition(undefined);
const exhaustedKey = () =>
  failedCondition({
    keyId: 'key',
    storeId: 'store-1',
    mode: 'test',
    limit: 2,
    windowSeconds: 60,
    createdAtMs: 0,
    tatMicros: (faulty.service.clock.now() + 60_000) * 1_000,
    emissionIntervalMicros: 30_000_000,
  })();

describe('a database without faults', () => {
  it('answers both operations', async () => {
    expect((await ask('createCart')).status).toBe(201);
    expect((await ask('getCart')).status).toBe(200);
  });
});

describe('one fault', () => {
  it.each(
    OPERATIONS.flatMap((operation) => FAULTS.map(([name, fault]) => [operation, name, fault] as const)),
  )('of the key answers a throttle by 429 and an outage by 503: %s, %s', async (operation, name, fault) => {
    fail('key', fault);
    expectKeyFault(name)(await ask(operation));
  });

  it.each(
    OPERATIONS.flatMap((operation) => FAULTS.map(([name, fault]) => [operation, name, fault] as const)),
  )('of the read answers 503: %s, %s', async (operation, _, fault) => {
    fail('read', fault);
    expectUnavailable(await ask(operation));
    expect(faulty.count('put')).toBe(0);
  });

  it.each(FAULTS)('of the read of an empty key answers likewise: %s', async (name, fault) => {
    const apiKey = generateApiKey('test');
    fail('key', exhaustedKey);
    expectError(await ask('getCart', apiKey), 'rateLimited');
    faulty.service.clock.advance(1);
    faulty.mock.on(GetCommand, { TableName: faulty.service.tableNames.apiKeys }).rejects(fault());
    const answer = await ask('getCart', apiKey);
    if (!(name in THROTTLES)) return expectUnavailable(answer);
    expectError(answer, 'rateLimited');
    return expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
  });

  it.each(FAULTS)('of the put answers 503: %s', async (_, fault) => {
    fail('put', fault);
    expectUnavailable(await ask('createCart'));
  });

  it.each(FAULTS)('of the search for an earlier cart answers 503, not 400: %s', async (_, fault) => {
    let reads = 0;
    faulty.when('read', () => {
      reads += 1;
      return reads === 1 ? {} : Promise.reject(fault());
    });
    const request = { apiKey: generateApiKey('test'), headers: { 'Idempotency-Key': 'order-1' } };
    expectUnavailable(await faulty.service.createCart(cartBody('none'), request));
    expect(reads).toBe(2);
  });
});

describe('two faults', () => {
  it.each(
    OPERATIONS.flatMap((operation) =>
      FAULTS.flatMap(([keyName, keyFault]) =>
        FAULTS.map(([readName, readFault]) => [operation, keyName, readName, keyFault, readFault] as const),
      ),
    ),
  )("answer the key's: %s, key: %s, read: %s", async (operation, keyName, _, keyFault, readFault) => {
    fail('key', keyFault);
    fail('read', readFault);
    expectKeyFault(keyName)(await ask(operation));
    expect(faulty.count('put')).toBe(0);
  });
});

describe('a read that fails', () => {
  const verdicts = [
    ['an unknown key', 'invalidApiKey', () => Promise.reject(unknownKey())],
    ['an exhausted key', 'rateLimited', () => Promise.reject(exhaustedKey())],
  ] as const;
  const rows = OPERATIONS.flatMap((operation) =>
    verdicts.flatMap(([name, kind, behave]) =>
      FAULTS.map(([faultName, fault]) => [operation, name, faultName, kind, behave, fault] as const),
    ),
  );

  it.each(rows)('at once hides nothing: %s, %s, %s', async (operation, _, __, kind, behave, fault) => {
    faulty.when('key', behave);
    faulty.when('read', () => {
      throw fault();
    });
    expectError(await ask(operation), kind);
  });

  it.each(rows)(
    'before the verdict hides nothing: %s, %s, %s',
    async (operation, _, __, kind, behave, fault) => {
      const key = hold('key');
      const read = hold('read');
      const answering = ask(operation);
      await Promise.all([key.asked, read.asked]);
      read.reject(fault());
      await new Promise(setImmediate);
      behave().catch(key.reject);
      expectError(await answering, kind);
    },
  );

  it.each(rows)(
    'after the answer harms nobody: %s, %s, %s',
    async (operation, _, __, kind, behave, fault) => {
      faulty.when('key', behave);
      const read = hold('read');
      expectError(await ask(operation), kind);
      read.reject(fault());
    },
  );

  it.each(OPERATIONS)('after a good verdict answers 503: %s', async (operation) => {
    const read = hold('read');
    const answering = ask(operation);
    await read.asked;
    await new Promise(setImmediate);
    read.reject(OUTAGES['connection reset']());
    expectUnavailable(await answering);
  });

  it.each(OPERATIONS)('after the key failed too harms nobody: %s', async (operation) => {
    fail('key', OUTAGES.timeout);
    const read = hold('read');
    expectUnavailable(await ask(operation));
    read.reject(OUTAGES['internal error']());
  });

  it('never hides a 422, since an invalid payload is not read for', async () => {
    fail('read', OUTAGES.timeout);
    const request = { apiKey: generateApiKey('test') };
    expectError(await faulty.service.createCart('not json', request), 'invalidPayload');
    expectError(
      await faulty.service.createCart(cartBody('course', { email: '' }), request),
      'invalidPayload',
    );
    expect(faulty.count('read')).toBe(0);
  });

  it('never makes a malformed cart id anything but 404', async () => {
    fail('read', OUTAGES.timeout);
    expectError(await faulty.service.getCart('none', { apiKey: generateApiKey('test') }), 'cartNotFound');
  });
});

describe('after a fault', () => {
  it.each(FAULTS)(
    'the next request of the same key is answered as if nothing had been: %s',
    async (_, fault) => {
      const apiKey = generateApiKey('test');
      let isFirst = true;
      faulty.when('read', () => {
        const failing = isFirst;
        isFirst = false;
        return failing ? Promise.reject(fault()) : {};
      });
      expectUnavailable(await ask('getCart', apiKey));
      expectError(await ask('getCart', apiKey), 'cartNotFound');
    },
  );
});

describe('a key item of a wrong shape', () => {
  it.each([
    ['no TAT', 'tatMicros', undefined],
    ['a TAT in words', 'tatMicros', 'now'],
    ['no interval', 'emissionIntervalMicros', undefined],
    ['an interval in words', 'emissionIntervalMicros', 'a second'],
    ['no limit', 'limit', undefined],
    ['a limit in words', 'limit', 'many'],
    ['no window', 'windowSeconds', undefined],
    ['no mode', 'mode', undefined],
    ['an unknown mode', 'mode', 'prod'],
  ])('answers 500, and never a header or an address made of it: %s', async (_, name, value) => {
    const service = await givenService();
    const apiKey = await service.givenKey();
    await service.documents.send(
      new UpdateCommand({
        TableName: service.tableNames.apiKeys,
        Key: { keyId: apiKeyId(apiKey) },
        UpdateExpression: value === undefined ? 'REMOVE #name' : 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ...(value !== undefined && { ExpressionAttributeValues: { ':value': value } }),
      }),
    );
    const answer = await service.createCart(cartBody(await service.givenProduct()), { apiKey });
    expect(answer.headers['x-ratelimit-limit'] ?? '60').toBe('60');
    expect(answer.bodyText).toBe('{"code":"INTERNAL_ERROR","message":"An internal error occurred"}');
    expectError(answer, 'internal');
  });
});

describe('a product or a cart of a wrong shape', () => {
  it.each([
    ['createCart', 'a product without pricing', { id: 'course', storeId: 'store-1', available: true }],
    ['getCart', 'a cart of nothing but its owner', { storeId: 'store-1', mode: 'test' }],
    [
      'getCart',
      'a cart with times in words',
      { storeId: 'store-1', mode: 'test', customerInfo: {}, createdAtMs: 'now' },
    ],
  ] as const)('answers 500: %s, %s', async (operation, _, Item) => {
    faulty.when('read', () => ({ Item }));
    expectError(await ask(operation), 'internal');
  });
});
