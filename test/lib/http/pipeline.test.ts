import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, type MockInstance, vi } from 'vitest';
import { handler as createCartCheckout } from '../../../functions/create-cart-checkout/handler.ts';
import { handler as getCart } from '../../../functions/get-cart/handler.ts';
import { type Operation, OPERATIONS } from '../../../functions/operations.ts';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { apiOperation } from '../../../lib/http/api-operation.ts';
import { jsonResponse } from '../../../lib/http/json-response.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import { hashSource } from '../../../lib/http/source-hash.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import {
  DATABASE_CALLS,
  EARLY_READERS,
  MERCHANT_OPERATIONS,
  OPERATION_ROWS,
} from '../../support/operations/all-rows.ts';
import { BUYER } from '../../support/secrets.ts';
import {
  type FaultyService,
  givenFaultyService,
  INTERNAL_TEXT,
  ITEM_THROTTLES,
  watchRejections,
} from '../../support/service/faulty-service.ts';

let faulty: FaultyService;
let rejections: ReturnType<typeof watchRejections>;
let output: MockInstance<typeof process.stdout.write>[];

beforeEach(() => {
  rejections = watchRejections();
  faulty = givenFaultyService();
  output = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
});

afterEach(async () => {
  expect(await rejections.stop(), 'unhandled rejections').toStrictEqual([]);
});

/** The log of this test so far, as text and as entries. */
const logged = () => {
  const text = output.flatMap(({ mock }) => mock.calls.map(([chunk]) => String(chunk))).join('');
  const lines = text.split('\n').filter(Boolean);
  return { text, entries: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe('an unexpected error', () => {
  const parts = [generateApiKey('live'), BUYER.email, INTERNAL_TEXT];
  const secret = parts.join(' and ');
  const errors: [string, () => unknown][] = [
    ['an error with a cause', () => new Error('outer', { cause: new Error(secret) })],
    ['an error with properties', () => Object.assign(new Error(secret), { $response: { body: secret } })],
    ['a message of several lines', () => new Error(`first line\n${secret}\nlast line`)],
    ['a message that looks like frames', () => new Error(`first line\n    at ${secret}\n    at last line`)],
    ['a text', () => secret],
    ['an object', () => ({ message: secret })],
    ['nothing', () => undefined],
  ];
  const ofEachCall = DATABASE_CALLS.map(
    ([operation, call]) => ['an error', () => new Error(secret), operation, call] as const,
  );

  it.each([...errors.map(([name, error]) => [name, error, 'getCart', 'read'] as const), ...ofEachCall])(
    'is a 500, and neither the response nor the log quotes it: %s, %3$s, %4$s',
    async (_, error, operation, call) => {
      faulty.when(call, () => Promise.reject(error()));
      const response = await faulty.send(operation);
      expectError(response, 'internal');
      expect(response.bodyText).toBe('{"code":"INTERNAL_ERROR","message":"An internal error occurred"}');

      const { text, entries } = logged();
      const entry = { level: 'ERROR', message: 'failed', status: 500, code: 'INTERNAL_ERROR' };
      expect(entries).toMatchObject([entry]);
      for (const part of parts) expect(text + JSON.stringify(response.headers)).not.toContain(part);
    },
  );

  it('is logged with its name, its frames, the request and the key', async () => {
    faulty.when('read', () => {
      faulty.service.clock.advance(0.007);
      return Promise.reject(new TypeError(secret));
    });
    const apiKey = generateApiKey('test');
    const { headers } = await faulty.send('getCart', apiKey);
    const frames = expect.arrayContaining([
      expect.stringMatching(/^at .*pipeline\.test\.ts[^:]*:\d+:\d+/),
    ]) as unknown;
    const request = { operation: 'getCart', requestId: headers['x-request-id'], ms: 7 };
    const key = { storeId: 'store-1', keyId: apiKeyId(apiKey).slice(0, 12) };
    expect(logged().entries).toMatchObject([{ ...request, ...key, cause: { name: 'TypeError', frames } }]);
  });
});

describe('the log and the metrics', () => {
  it.each(MERCHANT_OPERATIONS)(
    'name the operation as functions/operations.ts does: %s',
    async (operation) => {
      const { status } = await faulty.send(operation);
      const name = (OPERATIONS[operation] as Operation).loggedAs ?? operation;
      expect(logged().entries.at(-1)).toMatchObject({ operation: name, status, ClientErrors: 0 });
    },
  );

  it('count an outage and name its error, without its message', async () => {
    faulty.when('read', () =>
      Promise.reject(Object.assign(new Error(INTERNAL_TEXT), { code: 'ECONNRESET' })),
    );
    await faulty.send('getCart');
    const { text, entries } = logged();
    const cause = { name: 'Error', code: 'ECONNRESET' };
    const counts = { ClientErrors: 0, ServerErrors: 1, DatabaseUnavailable: 1 };
    expect(entries).toMatchObject([{ ...counts, level: 'ERROR', status: 503, cause }]);
    expect(text).not.toContain(INTERNAL_TEXT);
  });

  it('have the source and the mode of each request, and never its address', async () => {
    await faulty.send('getCart');
    await faulty.send('getCart', 'malformed');
    const { text, entries } = logged();
    const source = hashSource('127.0.0.1');
    expect(entries).toMatchObject([
      { source, operation: 'getCart', mode: 'test', ClientErrors: 0 },
      { source, operation: 'getCart', mode: 'none', ClientErrors: 1, status: 401 },
    ]);
    expect(text).not.toContain('127.0.0.1');
  });

  it('count the carts of a request in its own line', async () => {
    await faulty.send('createCartCheckout');
    const { entries } = logged();
    expect(entries).toMatchObject([{ operation: 'createCartCheckout', CartsCreated: 1 }]);
    const { _aws: aws } = entries[0] as { _aws: { CloudWatchMetrics: object[] } };
    expect(aws.CloudWatchMetrics).toStrictEqual([
      {
        Namespace: 'CartCheckout',
        Dimensions: [['stage', 'operation', 'mode']],
        Metrics: [{ Name: 'ClientErrors' }, { Name: 'CartsCreated' }],
      },
    ]);
  });

  it('count a limited request, which is no failure, and name its key', async () => {
    faulty.when('key', () => Promise.reject(ITEM_THROTTLES['hot item']()));
    const apiKey = generateApiKey('test');
    await faulty.send('getCart', apiKey);
    const entry = { status: 429, code: 'RATE_LIMITED', keyId: apiKeyId(apiKey).slice(0, 12) };
    const { entries } = logged();
    expect(entries).toMatchObject([{ ...entry, ClientErrors: 1, RequestsLimited: 1 }]);
    expect(entries[0]).not.toHaveProperty('level');
  });
});

describe('a database without a response', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  afterEach(() => vi.useRealTimers());

  /** The signals of a request's database calls, of which there is one for all. A log's transaction serves several requests. */
  const signals = () => new Set(faulty.calls.flatMap(({ signal }) => signal ?? [])) as Set<AbortSignal>;

  /** Never settles until the signal of the request ends it, like the SDK. */
  const hang = (onCall: () => void) => () =>
    new Promise((_, reject) => {
      const error = Object.assign(new Error('Request aborted'), { name: 'AbortError' });
      for (const signal of signals()) signal.addEventListener('abort', () => reject(error));
      onCall();
    });

  it.each([
    ...DATABASE_CALLS.map(([operation, call]) => [operation, [call]] as const),
    // Both calls are made before either has a response: they run together.
    ...EARLY_READERS.map((operation) => [operation, ['key', 'read']] as const),
  ])('leads to a 503 after 4 s: %s, %j', async (operation, calls) => {
    const called = calls.map((call) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      faulty.when(call, hang(resolve));
      return promise;
    });
    const responding = faulty.send(operation);
    await Promise.all(called);
    vi.advanceTimersByTime(4_000);
    expectError(await responding, 'serviceUnavailable');
  });

  it.each(MERCHANT_OPERATIONS)('has 4 s for all calls of a request: %s', async (operation) => {
    const { promise: called, resolve } = Promise.withResolvers<void>();
    const { calls } = OPERATION_ROWS[operation];
    faulty.when(calls.at(-1)!, hang(resolve));
    const responding = faulty.send(operation);
    await called;
    vi.advanceTimersByTime(3_999);
    const [signal, ...others] = signals();
    expect([others, signal?.aborted]).toStrictEqual([[], false]);
    // The first call of this kind hangs.
    expect(faulty.calls).toHaveLength(calls.indexOf(calls.at(-1)!) + 1);
    vi.advanceTimersByTime(1);
    expect(signal?.aborted).toBe(true);
    expectError(await responding, 'serviceUnavailable');
  });

  it.each(MERCHANT_OPERATIONS)('leaves no timer behind, also after an error: %s', async (operation) => {
    expect((await faulty.send(operation)).status).toBeLessThan(300);
    faulty.when('key', () => Promise.reject(new Error('broken')));
    expectError(await faulty.send(operation), 'internal');
    expect(vi.getTimerCount()).toBe(0);
  });
});

const invoke = (handler: ProxyFunction, event: object) =>
  handler(
    Object.assign(event, {
      requestContext: { requestId: 'a1', identity: { sourceIp: 'test-invoke-source-ip' } },
      isBase64Encoded: false,
    }) as unknown as APIGatewayProxyEvent,
    { getRemainingTimeInMillis: () => 6_000 } as Context,
  );

describe('an event without headers, as the test console of API Gateway sends it,', () => {
  it.each([
    ['createCartCheckout', createCartCheckout],
    ['getCart', getCart],
  ] as const)('is a 401, not a 500: %s', async (name, handler) => {
    const { method: httpMethod, path: resource } = OPERATIONS[name];
    const body = expect.stringContaining('"code":"INVALID_API_KEY","message":"Invalid or missing API key"');
    for (const event of [{ headers: null, body: null }, { body: '' }, { headers: {}, body: '{}' }]) {
      const response = await invoke(handler, { httpMethod, resource, pathParameters: null, ...event });
      expect(response).toMatchObject({ statusCode: 401, body });
    }
  });
});

describe('the body and the input of a request', () => {
  const rateLimit = { limit: 2, remaining: 0, resetAtSeconds: 1, retryAfterSeconds: 1 };
  const notCalled = () => {
    throw new Error('not expected');
  };

  it.each([
    ['a missing key', undefined, undefined, 401],
    ['a malformed key', `Bearer ${generateApiKey('test')}0`, undefined, 401],
    ['a key remembered as unknown', `Bearer ${generateApiKey('test')}`, { outcome: 'unknown' }, 401],
    [
      'a key remembered as exhausted',
      `Bearer ${generateApiKey('test')}`,
      { outcome: 'limited', keyId: 'key', storeId: 'store-1', rateLimit },
      429,
    ],
  ] as const)('are not touched before a rejection of %s', async (_, Authorization, remembered, status) => {
    const handler = apiOperation({
      logName: { operation: 'touchNothing', hasRoute: false },
      bodyFields: [],
      parse: notCalled,
      findTestModeIssues: notCalled,
      authenticator: { recallRejection: () => remembered, authenticate: notCalled },
      now: () => 7,
      handle: notCalled,
    });
    const headers = { Authorization, 'Content-Type': 'application/json' };
    const event = Object.defineProperty({ headers }, 'body', { get: notCalled, enumerable: false });
    expect(await invoke(handler, event)).toMatchObject({ statusCode: status });
  });
});

it('an operation without a read has no resource', async () => {
  const apiKey = { keyId: 'key', storeId: 'store-1', mode: 'test', limit: 2, windowSeconds: 1 } as const;
  const rateLimit = { limit: 2, remaining: 1, resetAtSeconds: 1, retryAfterSeconds: 0 };
  const handler = apiOperation({
    logName: { operation: 'readNothing', hasRoute: false },
    parse: () => ({ ok: true, input: 'input' }),
    findTestModeIssues: () => [],
    authenticator: {
      recallRejection: () => undefined,
      authenticate: () => Promise.resolve({ outcome: 'authenticated', apiKey, rateLimit }),
    },
    now: () => 7,
    handle: ({ resource, input }) => {
      expectTypeOf(resource).toEqualTypeOf<undefined>();
      return Promise.resolve(jsonResponse(200, [input, String(resource)]));
    },
  });
  const headers = { AUTHORIZATION: `Bearer ${generateApiKey('test')}` };
  expect(await invoke(handler, { headers })).toMatchObject({ body: '["input","undefined"]' });
});
