import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { handler as createCartCheckout } from '../../../functions/create-cart-checkout/handler.ts';
import { handler as getCart } from '../../../functions/get-cart/handler.ts';
import { toGatewayEvent } from '../../../infra/local/gateway/event.ts';
import { createLambdaContext } from '../../../infra/local/gateway/lambda-context.ts';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { expectError } from '../../support/expect-error.ts';
import {
  type FaultyService,
  givenFaultyService,
  INTERNAL_TEXT,
  THROTTLES,
  watchRejections,
} from '../../support/faulty-service.ts';
import { BUYER } from '../../support/secrets.ts';

const OPERATIONS = ['createCartCheckout', 'getCart'] as const;
const CALLS = [
  ['createCartCheckout', 'key'],
  ['createCartCheckout', 'read'],
  ['createCartCheckout', 'put'],
  ['getCart', 'key'],
  ['getCart', 'read'],
] as const;

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
  vi.restoreAllMocks();
});

/** What this test has logged so far, as text and as entries. */
const logged = () => {
  const text = output.flatMap(({ mock }) => mock.calls.map(([chunk]) => String(chunk))).join('');
  return {
    text,
    entries: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
};

describe('an unforeseen error', () => {
  const parts = [generateApiKey('live'), BUYER.email, INTERNAL_TEXT];
  const secret = parts.join(' and ');
  const errors: [string, () => unknown][] = [
    ['a TypeError', () => new TypeError(secret)],
    ['a SyntaxError that quotes the text', () => new SyntaxError(`Unexpected token in "${secret}"`)],
    [
      'a refusal of DynamoDB that is our fault',
      () => Object.assign(new Error(secret), { name: 'ValidationException', $fault: 'client' }),
    ],
    ['an error with a cause', () => new Error('outer', { cause: new Error(secret) })],
    [
      'an error of many properties',
      () => Object.assign(new Error(secret), { request: secret, $response: { body: secret } }),
    ],
    ['a message of several lines', () => new Error(`first line\n${secret}\nlast line`)],
    [
      'a message whose lines look like stack frames',
      () => new Error(`first line\n    at ${secret}\n    at last line`),
    ],
    ['a thrown text', () => secret],
    ['a thrown object', () => ({ message: secret })],
    ['nothing', () => undefined],
  ];

  it.each(
    CALLS.flatMap(([operation, call]) =>
      errors.map(([name, error]) => [operation, call, name, error] as const),
    ),
  )(
    'answers 500 and shows nothing of itself, nor in the log: %s, %s, %s',
    async (operation, call, _, error) => {
      faulty.when(call, () => Promise.reject(error()));
      const answer = await faulty.send(operation);
      expectError(answer, 'internal');
      expect(answer.bodyText).toBe('{"code":"INTERNAL_ERROR","message":"An internal error occurred"}');

      const { text, entries } = logged();
      expect(entries).toMatchObject([
        { level: 'ERROR', message: 'failed', status: 500, code: 'INTERNAL_ERROR' },
      ]);
      for (const part of parts) expect(text + JSON.stringify(answer.headers)).not.toContain(part);
    },
  );

  it('is logged by its name and where it arose, with the request and the key', async () => {
    faulty.when('read', () => {
      faulty.service.clock.advance(0.007);
      return Promise.reject(new TypeError(secret));
    });
    const answer = await faulty.send('getCart');
    const entry = logged().entries[0] ?? {};
    expect(entry).toMatchObject({
      operation: 'getCart',
      requestId: answer.headers['x-request-id'],
      storeId: 'store-1',
      keyId: expect.stringMatching(/^[0-9a-f]{64}$/),
      durationMs: 7,
      cause: { name: 'TypeError' },
    });
    const { frames } = entry['cause'] as { frames: string[] };
    expect(frames[0]).toMatch(/^at .*pipeline\.test\.ts:\d+:\d+/);
  });
});

describe('an outage', () => {
  it('is logged with its name and code, counted, and shows nothing else', async () => {
    faulty.when('read', () =>
      Promise.reject(Object.assign(new Error(INTERNAL_TEXT), { code: 'ECONNRESET' })),
    );
    await faulty.send('getCart');
    const { text, entries } = logged();
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({ DatabaseUnavailable: 1 });
    expect(entries[1]).toMatchObject({
      level: 'ERROR',
      status: 503,
      cause: { name: 'Error', code: 'ECONNRESET' },
    });
    expect(text).not.toContain(INTERNAL_TEXT);
  });
});

describe('a request over its limit', () => {
  it('is logged as answered, with its key, and counted', async () => {
    faulty.when('key', () => Promise.reject(THROTTLES['throttled item']()));
    const apiKey = generateApiKey('test');
    await faulty.send('getCart', apiKey);
    expect(logged().entries).toMatchObject([
      { RequestsLimited: 1 },
      {
        level: 'INFO',
        message: 'answered',
        status: 429,
        code: 'RATE_LIMITED',
        keyId: apiKeyId(apiKey),
      },
    ]);
  });
});

describe('a database that does not answer', () => {
  /** The request's budget ends when the test says so. */
  const givenBudget = () => {
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
    return {
      timeout,
      signal: controller.signal,
      end: () => controller.abort(new DOMException('late', 'TimeoutError')),
    };
  };

  /** Never settles until the signal fires, as the SDK does. */
  const hangUntil = (signal: AbortSignal, asked: () => void) => () =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () =>
        reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' })),
      );
      asked();
    });

  it.each(CALLS)('is given up when the budget ends, by 503: %s, %s', async (operation, call) => {
    const budget = givenBudget();
    const asked = Promise.withResolvers<void>();
    faulty.when(call, hangUntil(budget.signal, asked.resolve));
    const answering = faulty.send(operation);
    await asked.promise;
    budget.end();
    expectError(await answering, 'serviceUnavailable');
  });

  it.each(OPERATIONS)(
    'is given up by 503 if neither the key nor the read is answered: %s',
    async (operation) => {
      const budget = givenBudget();
      const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
      faulty.when('key', hangUntil(budget.signal, asked[0].resolve));
      faulty.when('read', hangUntil(budget.signal, asked[1].resolve));
      const answering = faulty.send(operation);
      // Both were asked before either answered: they run at once.
      await Promise.all(asked.map(({ promise }) => promise));
      budget.end();
      expectError(await answering, 'serviceUnavailable');
    },
  );

  it.each([
    ['createCartCheckout', 3],
    ['getCart', 2],
  ] as const)('has one budget of 4 s for all calls of a request: %s', async (operation, calls) => {
    const budget = givenBudget();
    expect((await faulty.send(operation)).status).toBeLessThan(300);
    expect(budget.timeout.mock.calls).toStrictEqual([[4_000]]);
    expect(faulty.signals()).toStrictEqual(Array.from({ length: calls }, () => budget.signal));
  });

  it('is answered by 503 a quarter of a second before Lambda ends the function', async () => {
    faulty.when('read', () => {
      faulty.service.clock.advance(5.75);
      return {
        Item: {
          id: 'course',
          storeId: 'store-1',
          available: true,
          currency: 'EUR',
          pricing: { type: 'fixed', amount: 1 },
        },
      };
    });
    faulty.when('put', () => new Promise(() => undefined));
    expectError(await faulty.send('createCartCheckout'), 'serviceUnavailable');
  });
});

describe('an event without headers', () => {
  const invoke = (handler: typeof getCart, changes: object) => {
    const event = toGatewayEvent(
      {
        method: 'GET',
        target: '/',
        rawHeaders: [],
        body: Buffer.from('{}'),
        httpVersion: '1.1',
        sourceIp: '127.0.0.1',
      },
      {
        resource: '/',
        pathParameters: new Map(),
        requestId: 'a1',
        receivedAtMs: 0,
        domainName: 'localhost',
        port: 80,
      },
    );
    const context = createLambdaContext({
      functionName: 'f',
      awsRequestId: 'a1',
      timeoutMs: 6_000,
      now: Date.now,
    });
    return handler({ ...event, ...changes }, context);
  };

  it.each([
    ['createCartCheckout', createCartCheckout],
    ['getCart', getCart],
  ])('as the test console of API Gateway sends is answered 401, not 500: %s', async (_, handler) => {
    for (const headers of [null, undefined, {}]) {
      for (const pathParameters of [null, { cartId: 'x' }]) {
        for (const body of [null, '', '{}']) {
          const { statusCode, body: text } = await invoke(handler, {
            headers,
            multiValueHeaders: headers,
            pathParameters,
            body,
          });
          expect(statusCode).toBe(401);
          expect(text).toBe('{"code":"INVALID_API_KEY","message":"Invalid or missing API key"}');
        }
      }
    }
  });
});
