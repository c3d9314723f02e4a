import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyId, generateApiKey } from '../../lib/api-keys/api-key.ts';
import type { ApiResponse } from '../support/contract/contract.ts';
import { expectError } from '../support/contract/expect-error.ts';
import { cartBody } from '../support/domain/cart-body.ts';
import {
  DATABASE_CALLS,
  EARLY_READERS,
  MERCHANT_OPERATIONS,
  OPERATION_ROWS,
  READERS,
} from '../support/operations/all-rows.ts';
import type { MerchantOperationName, DatabaseCall } from '../support/operations/row-types.ts';
import {
  type FaultyService,
  givenFaultyService,
  INTERNAL_TEXT,
  OUTAGES,
  ITEM_THROTTLES,
  THROTTLES,
  watchRejections,
} from '../support/service/faulty-service.ts';
import { givenService, type TestService } from '../support/service/service.ts';

let faulty: FaultyService;
let rejections: ReturnType<typeof watchRejections>;

beforeEach(() => {
  rejections = watchRejections();
  faulty = givenFaultyService();
});

afterEach(async () => {
  expect(await rejections.stop(), 'unhandled rejections').toStrictEqual([]);
});

const FAULTS = Object.entries({ ...THROTTLES, ...OUTAGES });

/** A fault of each kind: of an item, of a table, and an outage. */
const KINDS = FAULTS.filter(([name]) => ['hot item', 'throttled table', 'timeout'].includes(name));

const fail = (call: DatabaseCall, fault: () => Error): void => {
  faulty.when(call, () => Promise.reject(fault()));
};

const expectUnavailable = (response: ApiResponse): void => {
  expectError(response, 'serviceUnavailable');
  expect(response.headers['retry-after']).toBe('1');
  expect(JSON.stringify(response)).not.toContain(INTERNAL_TEXT);
};

const expectHotKey = (response: ApiResponse): void => {
  expectError(response, 'rateLimited');
  expect(response.headers).toMatchObject({
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.UTC(2026, 0, 15, 12, 30, 2) / 1_000),
    'retry-after': '1',
  });
};

/** The expected response if the key's call fails: 429 if only its item is throttled, else 503. */
const expectKeyFault = (name: string): ((response: ApiResponse) => void) =>
  name in ITEM_THROTTLES ? expectHotKey : expectUnavailable;

/** A call that the test settles by hand. */
const hold = (call: DatabaseCall) => {
  const held = Promise.withResolvers<unknown>();
  const started = Promise.withResolvers<void>();
  faulty.when(call, () => {
    started.resolve();
    return held.promise;
  });
  return { ...held, started: started.promise };
};

/** Whether a read has begun, after turns of the event loop in which it would. */
const hasRead = async (): Promise<boolean> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  return faulty.count('read') > 0;
};

const failedCondition = (item?: Record<string, unknown>): Error =>
  new ConditionalCheckFailedException({
    message: INTERNAL_TEXT,
    $metadata: {},
    ...(item && { Item: marshall(item) }),
  });

const unknownKey = () => failedCondition();
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
  });

it.each(MERCHANT_OPERATIONS)('a database that works: %s succeeds', async (name) => {
  expect((await faulty.send(name)).status).toBe(OPERATION_ROWS[name].status);
  for (const call of ['key', 'read', 'write'] as const)
    expect(faulty.count(call), call).toBe(OPERATION_ROWS[name].calls.filter((each) => each === call).length);
});

it.each(MERCHANT_OPERATIONS)('%s reads while its key is checked only if its row says so', async (name) => {
  const key = hold('key');
  const sending = faulty.send(name);
  await key.started;
  expect(await hasRead()).toBe(EARLY_READERS.includes(name));
  key.reject(OUTAGES.timeout());
  expectUnavailable(await sending);
});

describe('one fault', () => {
  it.each(
    // All operations have the same pipeline, so one of them shows each fault.
    DATABASE_CALLS.flatMap(([name, call]) =>
      (name === 'createCartCheckout' ? FAULTS : KINDS).map(
        ([fault, make]) => [name, call, fault, make] as const,
      ),
    ),
  )(
    'of %s leads to 503, or to 429 if only the item of the key is throttled: %s, %s',
    async (name, call, fault, make) => {
      fail(call, make);
      const expectResponse = call === 'key' ? expectKeyFault(fault) : expectUnavailable;
      expectResponse(await faulty.send(name));
      expect(faulty.count('write')).toBe(call === 'write' ? 1 : 0);
    },
  );

  it.each(KINDS)('of the read of an exhausted key leads to the same responses: %s', async (fault, make) => {
    const apiKey = generateApiKey('test');
    fail('key', exhaustedKey);
    expectError(await faulty.send('getCart', apiKey), 'rateLimited');
    faulty.service.clock.advance(1);
    faulty.script('GetItem', () => Promise.reject(make()), 'apiKeys');
    const response = await faulty.send('getCart', apiKey);
    if (!(fault in ITEM_THROTTLES)) return expectUnavailable(response);
    expectError(response, 'rateLimited');
    return expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
  });

  it.each(KINDS)('of the search for an earlier cart leads to 503, not 400: %s', async (_, make) => {
    let reads = 0;
    faulty.when('read', () => {
      reads += 1;
      return reads === 1 ? {} : Promise.reject(make());
    });
    const request = { apiKey: generateApiKey('test'), headers: { 'Idempotency-Key': 'order-1' } };
    expectUnavailable(await faulty.service.createCart(cartBody('none'), request));
    expect(reads).toBe(2);
  });

  it.each(KINDS)('leaves no trace in the next request of the same key: %s', async (_, make) => {
    const apiKey = generateApiKey('test');
    fail('read', make);
    expectUnavailable(await faulty.send('getCart', apiKey));
    faulty.when('read', () => ({}));
    expectError(await faulty.send('getCart', apiKey), 'cartNotFound');
  });
});

describe('two faults', () => {
  it.each(
    EARLY_READERS.flatMap((name) =>
      KINDS.flatMap(([keyName, keyFault]) =>
        KINDS.map(([readName, readFault]) => [name, keyName, readName, keyFault, readFault] as const),
      ),
    ),
  )(
    "lead to the response for the key's fault: %s, key: %s, read: %s",
    async (name, keyName, _, keyFault, readFault) => {
      fail('key', keyFault);
      fail('read', readFault);
      expectKeyFault(keyName)(await faulty.send(name));
      expect(faulty.count('write')).toBe(0);
    },
  );
});

describe('a read that fails', () => {
  const keyErrors = [
    ['an unknown key', 'invalidApiKey', unknownKey],
    ['an exhausted key', 'rateLimited', exhaustedKey],
  ] as const;
  const rows = EARLY_READERS.flatMap((name) =>
    keyErrors.flatMap(([key, kind, keyError]) =>
      KINDS.map(([fault, make]) => [name, key, fault, kind, keyError, make] as const),
    ),
  );

  /** Sends a request whose key is rejected, and fails its read at this moment. */
  type Send = (name: MerchantOperationName, keyError: () => Error, make: () => Error) => Promise<ApiResponse>;

  const MOMENTS: Readonly<Record<string, Send>> = {
    immediately: (name, keyError, make) => {
      fail('key', keyError);
      faulty.when('read', () => {
        throw make();
      });
      return faulty.send(name);
    },
    'before the key': async (name, keyError, make) => {
      const key = hold('key');
      const read = hold('read');
      const sending = faulty.send(name);
      await key.started;
      expect(await hasRead(), 'readsWithKey').toBe(true);
      read.reject(make());
      await new Promise(setImmediate);
      key.reject(keyError());
      return sending;
    },
    'after the response': async (name, keyError, make) => {
      fail('key', keyError);
      const read = hold('read');
      const response = await faulty.send(name);
      read.reject(make());
      return response;
    },
  };

  describe.each(Object.entries(MOMENTS))('%s', (_moment, send) => {
    it.each(rows)('never hides the rejection of %s: %s, %s', async (name, _, __, kind, keyError, make) => {
      expectError(await send(name, keyError, make), kind);
    });
  });

  it.each(READERS)('after the key was admitted leads to 503: %s', async (name) => {
    const read = hold('read');
    const sending = faulty.send(name);
    await Promise.race([read.started, sending]);
    await new Promise(setImmediate);
    read.reject(OUTAGES['connection reset']());
    expectUnavailable(await sending);
  });

  it.each(EARLY_READERS)('after the key failed leaves no unhandled rejection: %s', async (name) => {
    fail('key', OUTAGES.timeout);
    const read = hold('read');
    expectUnavailable(await faulty.send(name));
    read.reject(OUTAGES['internal error']());
  });

  it('never happens for an invalid payload, query or cart id, which need no read', async () => {
    fail('read', OUTAGES.timeout);
    const request = { apiKey: generateApiKey('test') };
    const invalid = ['not json', cartBody('course', { email: '' })];
    for (const body of invalid) expectError(await faulty.service.createCart(body, request), 'invalidPayload');
    expectError(await faulty.service.getCart('none', request), 'cartNotFound');
    const query = { limit: '0' };
    expectError(await faulty.service.send('listEvents', { ...request, query }), 'invalidPayload');
    expect(faulty.count('read')).toBe(0);
  });
});

describe('an item of the wrong shape', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await givenService();
  });

  it.each([
    ['a text as TAT', 'tatMicros', 'now'],
    ['no limit', 'limit', undefined],
    ['an unknown mode', 'mode', 'prod'],
  ])('leads to 500 and reaches no header or address: a key with %s', async (_, name, value) => {
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
    const response = await service.createCart(cartBody(await service.givenProduct()), { apiKey });
    expect(response.headers['x-ratelimit-limit'] ?? '60').toBe('60');
    expectError(response, 'internal');
  });

  const malformed = MERCHANT_OPERATIONS.flatMap((name) =>
    OPERATION_ROWS[name].malformedItems.map((item) => [name, ...item] as const),
  );

  it.each(malformed)('leads to 500: %s, %s', async (name, _, item) => {
    faulty.when('read', () => ({ Item: item, Items: [item] }));
    expectError(await faulty.send(name), 'internal');
  });
});
