import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { LOCAL_TABLE_NAMES } from '../../../infra/local/local-database.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { type DynamodbProxy, startDynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { expectError } from '../../support/expect-error.ts';
import { stopProcesses } from '../../support/processes.ts';
import { type ApiResponse, cartBody } from '../../support/service.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../../support/stage.ts';

const DELAY_MS = 50;
const WARM_UPS = 5;
const SAMPLES = 21;

/** A bucket of this many tokens is full again before the next request, or is never full again in a test. */
const LIMITS = {
  'a bucket that is full': { limit: 1_000_000, windowSeconds: 1_000 },
  'a bucket in use': { limit: 1_000, windowSeconds: 86_400 },
} as const;

let proxy: DynamodbProxy;
let stage: TestStage;

beforeAll(async () => {
  const database = await givenStage();
  proxy = await startDynamodbProxy(database.dynamodbEndpoint, DELAY_MS);
  stage = await givenStage(['--dynamodb', proxy.endpoint], SERVICE_WITH_CLOCK);
});

afterAll(async () => {
  await stopProcesses();
  await proxy.close();
});

beforeEach(() => setClock(stage, { offsetMs: 0 }));

const get = (apiKey: string): Promise<ApiResponse> => stage.getCart(randomUUID(), { apiKey });
const post = (apiKey: string): Promise<ApiResponse> =>
  stage.createCart(cartBody(stage.productId), { apiKey });

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** How long each of some requests takes, one after the other, in milliseconds. */
const time = async (send: () => Promise<ApiResponse>, expectedStatus: number): Promise<number[]> => {
  const durationsMs: number[] = [];
  for (let i = 0; i < SAMPLES; i += 1) {
    const startedAtMs = performance.now();
    const { status } = await send();
    durationsMs.push(performance.now() - startedAtMs);
    expect(status).toBe(expectedStatus);
  }
  return durationsMs;
};

/** The calls so far in steps: calls of one step all start before any of them ends. */
const steps = (): string[][] => {
  const found: { names: string[]; endedAtMs: number }[] = [];
  for (const { operation, table, startedAtMs, endedAtMs = Infinity } of proxy.calls) {
    const name = `${operation} ${table}`;
    const step = found.at(-1);
    if (step && startedAtMs < step.endedAtMs) {
      step.names.push(name);
      step.endedAtMs = Math.min(step.endedAtMs, endedAtMs);
    } else {
      found.push({ names: [name], endedAtMs });
    }
  }
  return found.map(({ names }) => names.toSorted());
};

test.each([
  ['GET', get, 404, 75],
  ['POST', post, 201, 125],
])(
  'with 50 ms added to each DynamoDB call, the median of warm %s requests stays in its bound',
  // A busy machine can slow one round; a step too many slows every one, by 50 ms.
  { retry: 3 },
  async (method, send, expectedStatus, boundMs) => {
    const apiKey = await stage.givenKey(LIMITS['a bucket that is full']);
    for (let i = 0; i < WARM_UPS; i += 1) await send(apiKey);

    const medianMs = median(await time(() => send(apiKey), expectedStatus));

    console.info(`Median of ${SAMPLES} warm ${method} requests, with 50 ms added: ${medianMs.toFixed(1)} ms`);
    expect(medianMs).toBeLessThan(boundMs);
  },
);

test.each(Object.entries(LIMITS))(
  'a warm GET is two DynamoDB calls at once, with %s',
  async (_what, limits) => {
    const apiKey = await stage.givenKey(limits);
    await get(apiKey);
    proxy.reset();

    await get(apiKey);

    expect(steps()).toEqual([
      [`GetItem ${LOCAL_TABLE_NAMES.carts}`, `UpdateItem ${LOCAL_TABLE_NAMES.apiKeys}`],
    ]);
  },
);

test.each(Object.entries(LIMITS))(
  'a warm POST is two DynamoDB calls at once and one after them, with %s',
  async (_what, limits) => {
    const apiKey = await stage.givenKey(limits);
    await post(apiKey);
    proxy.reset();

    await post(apiKey);

    expect(steps()).toEqual([
      [`GetItem ${LOCAL_TABLE_NAMES.products}`, `UpdateItem ${LOCAL_TABLE_NAMES.apiKeys}`],
      [`PutItem ${LOCAL_TABLE_NAMES.carts}`],
    ]);
  },
);

test('a replayed POST takes no more calls than the one that made the cart', async () => {
  const apiKey = await stage.givenKey();
  const send = () =>
    stage.createCart(cartBody(stage.productId), { apiKey, headers: { 'Idempotency-Key': 'order-1' } });
  await send();
  proxy.reset();

  expect((await send()).headers['idempotent-replayed']).toBe('true');
  expect(steps().map((names) => names.length)).toEqual([2, 1]);
});

test('a warm POST with an invalid body costs its token and nothing else', async () => {
  const apiKey = await stage.givenKey();
  await post(apiKey);
  proxy.reset();

  expectError(await stage.createCart('{}', { apiKey }), 'invalidPayload');
  expect(steps()).toEqual([[`UpdateItem ${LOCAL_TABLE_NAMES.apiKeys}`]]);
});

test('a 429 that is repeated within a second makes no DynamoDB call, and asks again after it', async () => {
  const nowMs = Date.now();
  await setClock(stage, { standsAtMs: nowMs });
  const apiKey = await stage.givenKey({ limit: 1, windowSeconds: 3_600 });
  expect((await get(apiKey)).status).toBe(404);
  expectError(await get(apiKey), 'rateLimited');
  proxy.reset();

  await setClock(stage, { standsAtMs: nowMs + 999 });
  const repeated = await get(apiKey);
  expectError(repeated, 'rateLimited');
  expect(repeated.headers['retry-after']).toBe('3600');
  expect(proxy.calls).toEqual([]);

  await setClock(stage, { standsAtMs: nowMs + 1_000 });
  expectError(await get(apiKey), 'rateLimited');
  expect(proxy.calls).not.toEqual([]);
});

test.each([
  ['no key', undefined],
  ['a text that is no key', 'secret'],
  ['a key with a typing error', 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpx'],
])('%s is refused without a DynamoDB call', async (_what, apiKey) => {
  proxy.reset();

  expectError(await stage.getCart(randomUUID(), { apiKey }), 'invalidApiKey');
  expectError(await stage.createCart(cartBody(stage.productId), { apiKey }), 'invalidApiKey');

  expect(proxy.calls).toEqual([]);
});

test('an unknown key that is repeated within five seconds makes no DynamoDB call', async () => {
  const nowMs = Date.now();
  await setClock(stage, { standsAtMs: nowMs });

  const apiKey = generateApiKey('test');
  expectError(await get(apiKey), 'invalidApiKey');
  proxy.reset();

  await setClock(stage, { standsAtMs: nowMs + 4_999 });
  expectError(await get(apiKey), 'invalidApiKey');
  expect(proxy.calls).toEqual([]);

  await setClock(stage, { standsAtMs: nowMs + 5_000 });
  expectError(await get(apiKey), 'invalidApiKey');
  expect(proxy.calls).not.toEqual([]);
});
