import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { type DynamodbProxy, startDynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { expectError } from '../../support/expect-error.ts';
import { stopProcesses } from '../../support/processes.ts';
import { type ApiResponse, cartBody } from '../../support/service.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../../support/stage.ts';

const NOW_MS = Date.now();
const { apiKeys, products, carts } = LOCAL_TABLE_NAMES;

let database: EmbeddedDynamodb;
let proxy: DynamodbProxy;
let stage: TestStage;

beforeAll(async () => {
  database = await startEmbeddedDynamodb({ data: 'memory' });
  proxy = await startDynamodbProxy(database.endpoint);
  stage = await givenStage(['--dynamodb', proxy.endpoint], SERVICE_WITH_CLOCK);
});

afterAll(async () => {
  await stopProcesses();
  await proxy.close();
  await database.close();
});

beforeEach(() => setClock(stage, { offsetMs: 0 }));

const get = (apiKey: string): Promise<ApiResponse> => stage.getCart(randomUUID(), { apiKey });
const post = (apiKey: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  stage.createCart(cartBody(stage.productId), { apiKey, headers });

const callNames = (): string[] => proxy.calls.map(({ operation, table }) => `${operation} ${table}`);

/** Sends a request, and expects this many calls before the database responds to any. Returns the names of all calls. */
const callsOf = async (send: () => Promise<ApiResponse>, atOnce: number) => {
  proxy.reset();
  proxy.hold();
  const sent = send();
  await expect.poll(callNames, { interval: 5, timeout: 10_000 }).toHaveLength(atOnce);
  proxy.release();
  const response = await sent;
  return { response, first: callNames().slice(0, atOnce).toSorted(), later: callNames().slice(atOnce) };
};

/** The calls for a token and the items that a request needs, then the call for its cart. */
const CREATION = [2, [`GetItem ${products}`, `UpdateItem ${apiKeys}`], [`PutItem ${carts}`]] as const;

test.each<
  [string, number, number, readonly string[], readonly string[], (apiKey: string) => Promise<ApiResponse>]
>([
  ['a GET', 404, 2, [`GetItem ${carts}`, `UpdateItem ${apiKeys}`], [], get],
  ['a POST', 201, ...CREATION, post],
  ['a replayed POST', 201, ...CREATION, (apiKey) => post(apiKey, { 'Idempotency-Key': 'order-1' })],
  [
    'a POST with an invalid body',
    422,
    1,
    [`UpdateItem ${apiKeys}`],
    [],
    (apiKey) => stage.createCart('{}', { apiKey }),
  ],
])('%s gets %i after %i calls at once', async (_what, status, atOnce, expectedFirst, expectedLater, send) => {
  // A bucket in use takes as many calls as a full one: `authenticator.test.ts`.
  const apiKey = await stage.givenKey();
  await send(apiKey);

  const { response, first, later } = await callsOf(() => send(apiKey), atOnce);

  expect(response.status).toBe(status);
  expect([first, later]).toEqual([expectedFirst, expectedLater]);
});

test('a 429 that is repeated within a second makes no call', async () => {
  await setClock(stage, { standsAtMs: NOW_MS });
  const apiKey = await stage.givenKey({ limit: 1, windowSeconds: 3_600 });
  expect((await get(apiKey)).status).toBe(404);
  expectError(await get(apiKey), 'rateLimited');
  proxy.reset();

  await setClock(stage, { standsAtMs: NOW_MS + 999 });
  const repeated = await get(apiKey);
  expectError(repeated, 'rateLimited');
  expect(repeated.headers['retry-after']).toBe('3600');
  expect(proxy.calls).toEqual([]);

  await setClock(stage, { standsAtMs: NOW_MS + 1_000 });
  expectError(await get(apiKey), 'rateLimited');
  expect(proxy.calls).not.toEqual([]);
});

test.each([
  ['no key', undefined],
  ['a malformed key', 'secret'],
  ['a key with a typing error', 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpx'],
])('%s is rejected without a call', async (_what, apiKey) => {
  proxy.reset();

  expectError(await stage.getCart(randomUUID(), { apiKey }), 'invalidApiKey');
  expectError(await stage.createCart(cartBody(stage.productId), { apiKey }), 'invalidApiKey');

  expect(proxy.calls).toEqual([]);
});

test('while the database hangs, 80 requests at once all get 503, and create nothing', async () => {
  const apiKey = await stage.givenKey({ limit: 1_000 });
  const documents = createDocumentClient(localClientConfig(database.endpoint));
  const countCarts = async () => (await documents.send(new ScanCommand({ TableName: carts }))).Count;
  const before = await countCarts();

  // Budgets of 0.2 s. The responses come while the calls are still held.
  await setClock(stage, { offsetMs: 0, speed: 20 });
  proxy.hold();
  const responses = await Promise.all(Array.from({ length: 80 }, () => post(apiKey)));
  proxy.release();

  for (const response of responses) {
    expectError(response, 'serviceUnavailable');
    expect(response.headers['retry-after']).toBe('1');
  }
  await setClock(stage, { offsetMs: 0 });
  expect((await post(apiKey)).status).toBe(201);
  expect(await countCarts()).toBe(Number(before) + 1);
});
