import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EmbeddedDynamodb, startEmbeddedDynamodb } from '../../../infra/local/embedded-dynamodb.ts';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import type { Mode } from '../../../lib/api-keys/api-key.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { type DynamodbProxy, startDynamodbProxy } from '../../support/dynamodb-proxy.ts';
import { expectError } from '../../support/expect-error.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { stopProcesses } from '../../support/processes.ts';
import { type ApiResponse, cartBody } from '../../support/service.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../../support/stage.ts';

const NOW_MS = Date.now();
const { apiKeys, products, carts, testCarts } = LOCAL_TABLE_NAMES;

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

const get = (apiKey: string, cartId: string): Promise<ApiResponse> => stage.getCart(cartId, { apiKey });
const post = (apiKey: string): Promise<ApiResponse> =>
  stage.createCart(cartBody(stage.productId), { apiKey });

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

/** The calls at once for a token and the item that a request needs, then the others, one after the other. */
type Calls = readonly [atOnce: readonly string[], later: readonly string[]];

const creation = (cartTable: string): Calls => [
  [`GetItem ${products}`, `UpdateItem ${apiKeys}`],
  [`PutItem ${cartTable}`],
];
const retrieval = (cartTable: string, ...later: string[]): Calls => [
  [`GetItem ${cartTable}`, `UpdateItem ${apiKeys}`],
  later,
];

const replay = (apiKey: string): Promise<ApiResponse> =>
  stage.createCart(cartBody(stage.productId), { apiKey, headers: { 'Idempotency-Key': 'order-1' } });
const postUnsold = (apiKey: string): Promise<ApiResponse> =>
  stage.createCart(cartBody('unsold'), { apiKey, headers: { 'Idempotency-Key': 'order-2' } });
const getUnknown = (apiKey: string): Promise<ApiResponse> => get(apiKey, randomUUID());
const postInvalid = (apiKey: string): Promise<ApiResponse> => stage.createCart('{}', { apiKey });

test.each<[string, Mode, number, Calls, (apiKey: string, cartId: string) => Promise<ApiResponse>]>([
  ['a GET', 'live', 200, retrieval(carts), get],
  ['a GET', 'test', 200, retrieval(testCarts), get],
  ['a GET of an unknown cart', 'live', 404, retrieval(carts), getUnknown],
  // An earlier release stored test carts in the table of live mode.
  ['a GET of an unknown cart', 'test', 404, retrieval(testCarts, `GetItem ${carts}`), getUnknown],
  ['a POST', 'live', 201, creation(carts), post],
  ['a POST', 'test', 201, creation(testCarts), post],
  ['a replayed POST', 'live', 201, creation(carts), replay],
  ['a replayed POST', 'test', 201, creation(testCarts), replay],
  // A retry gets its cart even if its product is no longer sold.
  ['a POST of an unsold product', 'test', 400, [creation('')[0], [`GetItem ${testCarts}`]], postUnsold],
  ['a POST with an invalid body', 'live', 422, [[`UpdateItem ${apiKeys}`], []], postInvalid],
])('%s in %s mode gets %i after exactly its calls', async (_what, mode, status, calls, send) => {
  // A bucket in use takes as many calls as a full one: `authenticator.test.ts`.
  const apiKey = await stage.givenKey({ mode });
  const cartId = cartIdOf(await post(apiKey));
  await send(apiKey, cartId);

  const { response, first, later } = await callsOf(() => send(apiKey, cartId), calls[0].length);

  expect(response.status).toBe(status);
  expect([first, later]).toEqual(calls);
});

test('a 429 that is repeated within a second makes no call', async () => {
  await setClock(stage, { standsAtMs: NOW_MS });
  const apiKey = await stage.givenKey({ limit: 1, windowSeconds: 3_600 });
  expect((await get(apiKey, randomUUID())).status).toBe(404);
  expectError(await get(apiKey, randomUUID()), 'rateLimited');
  proxy.reset();

  await setClock(stage, { standsAtMs: NOW_MS + 999 });
  const repeated = await get(apiKey, randomUUID());
  expectError(repeated, 'rateLimited');
  expect(repeated.headers['retry-after']).toBe('3600');
  expect(proxy.calls).toEqual([]);

  await setClock(stage, { standsAtMs: NOW_MS + 1_000 });
  expectError(await get(apiKey, randomUUID()), 'rateLimited');
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
  const countCarts = async () => (await documents.send(new ScanCommand({ TableName: testCarts }))).Count;
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
