import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OPERATIONS, type OperationName } from '../../../functions/operations.ts';
import { localClientConfig } from '../../../infra/local-access/local-names.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { DATABASE_BUDGET_MS } from '../../../lib/database/documents.ts';
import { TABLE_KINDS } from '../../../lib/database/tables.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import type { Mode } from '../../../lib/stores/mode.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { expectError } from '../../support/contract/expect-error.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { startDynamodbProxy } from '../../support/database/dynamodb-proxy.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { invoke, type OperationRequest } from '../../support/functions/invoke.ts';
import { givenGateway } from '../../support/http/gateway-client.ts';
import { cartIdOf, createHttpClient } from '../../support/service/http-client.ts';
import { composeService } from '../../support/service/service.ts';

const database = await givenDatabase(TABLE_KINDS);
const proxy = await startDynamodbProxy(database.endpoint);
const documents = createDocumentClient(localClientConfig(proxy.endpoint));
const service = composeService({ ...database, documents });
const { apiKeys, products, carts, testCarts } = database.tableNames;

let productId: string;

beforeAll(async () => {
  productId = await service.givenProduct();
  // Waits for the idempotency secret, which each environment reads once.
  await replay(await service.givenKey());
});

afterAll(async () => {
  documents.destroy();
  await proxy.close();
});

const get = (apiKey: string, cartId: string): Promise<ApiResponse> => service.getCart(cartId, { apiKey });
const post = (apiKey: string): Promise<ApiResponse> => service.createCart(cartBody(productId), { apiKey });

const callNames = (): string[] => proxy.calls.map(({ operation, table }) => `${operation} ${table}`);

/** Sends a request, and expects this many calls before the database responds to any. Returns the names of all calls. */
const callsOf = async (send: () => Promise<ApiResponse>, atOnce: number) => {
  proxy.reset();
  proxy.hold();
  const sent = send();
  await expect.poll(callNames, { interval: 5 }).toHaveLength(atOnce);
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
const retrieval = (cartTable: string): Calls => [[`GetItem ${cartTable}`, `UpdateItem ${apiKeys}`], []];

const replay = (apiKey: string): Promise<ApiResponse> =>
  service.createCart(cartBody(productId), { apiKey, headers: { 'Idempotency-Key': 'order-1' } });
const postUnsold = (apiKey: string): Promise<ApiResponse> =>
  service.createCart(cartBody('unsold'), { apiKey, headers: { 'Idempotency-Key': 'order-2' } });
const getUnknown = (apiKey: string): Promise<ApiResponse> => get(apiKey, randomUUID());
const postInvalid = (apiKey: string): Promise<ApiResponse> => service.createCart('{}', { apiKey });

test.each<[string, Mode, number, Calls, (apiKey: string, cartId: string) => Promise<ApiResponse>]>([
  ['a GET', 'live', 200, retrieval(carts), get],
  ['a GET', 'test', 200, retrieval(testCarts), get],
  ['a GET of an unknown cart', 'live', 404, retrieval(carts), getUnknown],
  ['a GET of an unknown cart', 'test', 404, retrieval(testCarts), getUnknown],
  ['a POST', 'live', 201, creation(carts), post],
  ['a POST', 'test', 201, creation(testCarts), post],
  ['a replayed POST', 'live', 201, creation(carts), replay],
  ['a replayed POST', 'test', 201, creation(testCarts), replay],
  // A retry gets its cart even if its product is no longer sold. Test mode names products that the store sells.
  ['a POST of an unsold product', 'live', 400, [creation('')[0], [`GetItem ${carts}`]], postUnsold],
  [
    'a POST of an unsold product',
    'test',
    400,
    [creation('')[0], [`GetItem ${testCarts}`, `Query ${products}`]],
    postUnsold,
  ],
  ['a POST with an invalid body', 'live', 422, [[`UpdateItem ${apiKeys}`], []], postInvalid],
])('%s in %s mode gets %i after exactly its calls', async (_what, mode, status, calls, send) => {
  // A bucket in use takes as many calls as a full one: `authenticator.test.ts`.
  const apiKey = await service.givenKey({ mode });
  const cartId = cartIdOf(await post(apiKey));
  await send(apiKey, cartId);

  const { response, first, later } = await callsOf(() => send(apiKey, cartId), calls[0].length);

  expect(response.status).toBe(status);
  expect([first, later]).toEqual(calls);
});

test('a 429 that is repeated within a second makes no call', async () => {
  const apiKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
  expect((await get(apiKey, randomUUID())).status).toBe(404);
  expectError(await get(apiKey, randomUUID()), 'rateLimited');
  proxy.reset();

  service.clock.advance(0.999);
  const repeated = await get(apiKey, randomUUID());
  expectError(repeated, 'rateLimited');
  expect(repeated.headers['retry-after']).toBe('3600');
  expect(proxy.calls).toEqual([]);

  service.clock.advance(0.001);
  expectError(await get(apiKey, randomUUID()), 'rateLimited');
  expect(proxy.calls).not.toEqual([]);
});

test.each([
  ['no key', undefined],
  ['a malformed key', 'secret'],
  ['a key with a typing error', 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpx'],
])('%s is rejected without a call', async (_what, apiKey) => {
  proxy.reset();

  expectError(await service.getCart(randomUUID(), { apiKey }), 'invalidApiKey');
  expectError(await service.createCart(cartBody(productId), { apiKey }), 'invalidApiKey');

  expect(proxy.calls).toEqual([]);
});

/** A valid request of an operation, to an unknown cart. */
const requestTo = (name: OperationName, apiKey: string): OperationRequest => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const json = { 'Content-Type': 'application/json' };
  const contents: Partial<Record<OperationName, OperationRequest>> = {
    createCartCheckout: { headers: json, body: cartBody(productId) },
    submitSandboxCheckout: { headers: form, body: 'action=pay' },
  };
  const { headers, ...content } = contents[name] ?? {};
  return {
    ...content,
    headers: { ...headers, Authorization: `Bearer ${apiKey}` },
    pathParameters: { cartId: randomUUID() },
  };
};

test.each(Object.keys(OPERATIONS) as OperationName[])(
  'after a wait of 4.75 s, an invocation of %s makes no call and gets 503',
  async (name) => {
    const request = requestTo(name, await service.givenKey());
    const handler = service.handlerOf(OPERATIONS[name].functionName);
    const afterWait: ProxyFunction = async (event, context) => {
      service.clock.advance(4.75);
      return handler(event, context);
    };
    proxy.reset();

    const { status } = await invoke(afterWait, name, request, service.clock.now);

    expect(status).toBe(503);
    expect(proxy.calls).toEqual([]);
  },
);

/** Makes the time limits of database calls end twenty times as early. Those of the gateway stay, which are longer. */
const shortenTimeLimits = (): void => {
  const { setTimeout: start } = globalThis;
  const startShort = (end: () => void, ms = 0) => start(end, ms > DATABASE_BUDGET_MS ? ms : ms / 20);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(startShort);
};

test('while the database hangs, 80 requests at once all get 503, and create nothing', async () => {
  const apiKey = await service.givenKey({ limit: 1_000 });
  const countCarts = async () =>
    (await database.documents.send(new ScanCommand({ TableName: testCarts }))).Count;
  const before = await countCarts();
  const handlers = { 'create-cart-checkout': service.handlerOf('create-cart-checkout') };
  const { baseUrl } = await givenGateway(handlers, { functionTimeoutMs: 600_000 });
  const stage = createHttpClient(baseUrl);

  // The responses come while the calls are still held.
  shortenTimeLimits();
  proxy.hold();
  const requests = Array.from({ length: 80 }, () => stage.createCart(cartBody(productId), { apiKey }));
  const responses = await Promise.all(requests);
  proxy.release();

  for (const response of responses) {
    expectError(response, 'serviceUnavailable');
    expect(response.headers['retry-after']).toBe('1');
  }
  vi.restoreAllMocks();
  expect((await stage.createCart(cartBody(productId), { apiKey })).status).toBe(201);
  expect(await countCarts()).toBe(Number(before) + 1);
});
