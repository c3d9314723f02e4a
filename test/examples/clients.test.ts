import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateApiKey } from '../../lib/api-keys/api-key.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { closeApiProxies, cutAtRandom, givenApiProxy } from '../support/examples/api-proxy.ts';
import { callerOf, testedClients, stopClients } from '../support/examples/clients.ts';
import { BUYER } from '../support/secrets.ts';
import { startApi } from './support/api.ts';
import { CART_ID, METHODS } from './support/methods.ts';
import { givenResponses, type ScriptedResponse } from './support/scripted-api.ts';

const KEY = generateApiKey('test');
const CART = { id: CART_ID, status: 'waiting_payment' };
const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', message: 'Later' };

let api: Awaited<ReturnType<typeof startApi>>;

beforeAll(async () => {
  api = await startApi();
});

afterAll(async () => {
  stopClients();
  closeApiProxies();
  await api.close();
});

const newCart = (changes: Record<string, unknown> = {}) => ({
  productDocumentId: api.productId,
  ...BUYER,
  ...changes,
});

interface Page {
  readonly events: readonly { readonly data: { readonly id: string } }[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** The waits before five retries, with the longest random part: `docs/integrate.md`, "5. Errors". */
const LONGEST_PAUSES = [0.5, 1, 2, 4, 8];

const LANGUAGES = testedClients();

describe.each(LANGUAGES)('the client for $language', (language) => {
  const onStage = async ({
    baseUrl = api.baseUrl,
    ...options
  }: { baseUrl?: string; retriesMax?: number; deadlineSeconds?: number } = {}) =>
    callerOf(language, { baseUrl, apiKey: await api.givenKey({ limit: 1_000 }), ...options });

  const onScript = async (...responses: readonly ScriptedResponse[]) => {
    const { baseUrl, requests } = await givenResponses(...responses);
    return { baseUrl, requests, call: callerOf(language, { baseUrl, apiKey: KEY }) };
  };

  test('creates exactly 60 carts with 60 calls although a third of the connections break', async () => {
    const { baseUrl, requests } = await givenApiProxy(api.baseUrl, cutAtRandom(1, 1 / 3));
    // Without bounds that a series of broken connections could reach. The pauses take no time.
    const call = await onStage({ baseUrl, retriesMax: 30, deadlineSeconds: Number.MAX_SAFE_INTEGER });
    const before = await api.countCarts();
    const ids = new Set<string>();
    for (let index = 0; index < 60; index += 1) {
      const { value } = await call('createCart', [newCart({ meta: { order: String(index) } })]);
      ids.add((value as { cart: { id: string } }).cart.id);
    }
    expect(await api.countCarts()).toBe(before + 60);
    expect(ids.size).toBe(60);
    const keys = new Set(requests.map(({ idempotencyKey }) => idempotencyKey));
    expect({ keys: keys.size, areRepeated: requests.length > 60 }).toStrictEqual({
      keys: 60,
      areRepeated: true,
    });
  });

  test('creates a cart with the given Idempotency-Key, says whether it is a replay, and retrieves it', async () => {
    const call = await onStage();
    const [idempotencyKey, meta] = [randomUUID(), { order: '1001 é €' }];
    const create = () => call('createCart', [newCart({ meta, customerPrice: 19.99 })], { idempotencyKey });
    const { value } = await create();
    expect(value).toMatchObject({ cart: { status: 'waiting_payment' }, idempotencyKey, replayed: false });
    expect(await create()).toMatchObject({ value: { ...(value as object), replayed: true } });

    const { cart, redirectUrl } = value as { cart: { id: string }; redirectUrl: string };
    expect(redirectUrl).toContain(cart.id);
    const retrieved = await call('retrieveCart', [cart.id]);
    expect(retrieved.value).toMatchObject({ ...cart, meta, price: { amount: 19.99, currency: 'EUR' } });
  });

  test('throws an error with code, status, details and the id of the request, and does not retry', async () => {
    const call = await onStage();
    const { error, pauses } = await call('createCart', [newCart({ email: 'x', phone: 1 })]);
    expect(error).toMatchObject({
      name: 'CartCheckoutError',
      code: 'VALIDATION_ERROR',
      status: 422,
      details: [
        { path: 'email', message: expect.any(String) },
        { path: 'phone', message: expect.any(String) },
      ],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      retryable: false,
    });
    const { requestId, details, helpUrl } = error as {
      requestId: string;
      details: { path: string; message: string }[];
      helpUrl: string;
    };
    expect(helpUrl).toMatch(/^https?:.*#VALIDATION_ERROR$/);
    const issues = details.map(({ path, message }) => `; ${path}: ${message}`).join('');
    expect(error?.['message']).toBe(
      `VALIDATION_ERROR: ${API_ERRORS.invalidPayload.message}${issues} (request ${requestId}); see ${helpUrl}`,
    );
    expect(pauses).toStrictEqual([]);

    const unknown = await call('retrieveCart', ['a/../b?c']);
    expect(unknown.error).toMatchObject({
      code: 'INVALID_PRODUCT',
      status: 404,
      details: [{ path: 'path.cartId' }],
    });
  });

  test('retries five times, after Retry-After and a random time, with one Idempotency-Key', async () => {
    const { call, requests } = await onScript(
      { status: 503, headers: { 'Retry-After': '3' }, body: UNAVAILABLE },
      { status: 429, headers: { 'Retry-After': '1' }, body: { code: 'RATE_LIMITED', message: 'Slow' } },
      'cut',
      { status: 201, body: '{"cart":' },
      { status: 502, body: '<html>' },
      { status: 201, body: { cart: CART, redirectUrl: 'http://pay' } },
    );
    const { value, pauses } = await call('createCart', [newCart()]);
    expect(value).toMatchObject({ cart: CART, redirectUrl: 'http://pay', replayed: false });
    expect(pauses).toStrictEqual([3.5, 2, 2, 4, 8]);
    const { idempotencyKey } = value as { idempotencyKey: string };
    expect(idempotencyKey).toMatch(/^[\w-]{32,36}$/);
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toStrictEqual(
      Array.from({ length: 6 }, () => idempotencyKey),
    );
    expect(requests[0]?.headers['user-agent']).toMatch(/^cart-checkout-\w+\/\d+\.\d+\.\d+$/);
  });

  test('retries after an error of a proxy that has the names of the API for other values', async () => {
    const body = { code: 'PROXY', message: 'Later', details: 'None' };
    const { call } = await onScript(
      { status: 502, headers: { 'Retry-After': '-9' }, body },
      { status: 200, body: CART },
    );
    expect(await call('retrieveCart', [CART.id])).toMatchObject({ value: CART, pauses: [0.5] });
  });

  test('makes a new Idempotency-Key for each call without one', async () => {
    const { call, requests } = await onScript({
      status: 201,
      body: { cart: CART, redirectUrl: 'http://pay' },
    });
    for (const options of [{}, {}, { idempotencyKey: null }, { idempotencyKey: null }]) {
      await call('createCart', [newCart()], options);
    }
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(4);
  });

  test('throws the last error after five retries', async () => {
    const { call, requests, baseUrl } = await onScript('cut');
    const { error, pauses } = await call('createCart', [newCart()]);
    expect(error).toMatchObject({ code: 'NO_RESPONSE', status: 0, requestId: null, retryable: true });
    expect(error?.['message']).toMatch(`NO_RESPONSE: ${baseUrl}: `);
    expect(pauses).toStrictEqual(LONGEST_PAUSES);
    expect(requests).toHaveLength(6);
  });

  test.each([
    [
      'a token that comes after its deadline',
      429,
      { 'Retry-After': '61' },
      { code: 'RATE_LIMITED', message: 'Slow' },
      true,
    ],
    ['a redirect', 302, { Location: '/' }, '', false],
    ['a page that is not of the API', 404, {}, '<html>', false],
    ['JSON that is not of the API', 404, {}, '{"code":"X"}', false],
    ['an unknown error that a retry cannot mend', 418, {}, { code: 'TEAPOT', message: 'No' }, false],
  ])('does not retry after %s', async (_, status, headers, body, retryable) => {
    const { call, requests } = await onScript({ status, headers, body });
    const { error } = await call('listEvents');
    const code = typeof body === 'string' ? 'UNEXPECTED_RESPONSE' : body.code;
    const retryAfterSeconds = Number(new Headers(headers).get('Retry-After'));
    expect(error).toMatchObject({ code, status, retryable, retryAfterSeconds });
    expect(requests).toHaveLength(1);
  });

  test.each(Object.values(METHODS))('takes an empty success of %s for incomplete', async (method, args) => {
    const { baseUrl } = await givenResponses({ status: 201, body: { cart: {} } }, { status: 304 });
    const call = callerOf(language, { baseUrl, apiKey: KEY, retriesMax: 0 });
    const codes = [(await call(method, args)).error?.['code'], (await call(method, args)).error?.['code']];
    expect(codes).toStrictEqual(['UNEXPECTED_RESPONSE', 'UNEXPECTED_RESPONSE']);
  });

  test('ends a cart, once', async () => {
    const call = await onStage();
    const { value } = await call('createCart', [newCart({ expiresInMinutes: 30 })]);
    const { id } = (value as { cart: { id: string } }).cart;
    expect(await call('expireCart', [id])).toMatchObject({ value: { id, status: 'abandoned' } });
  });

  test('gives up a request after its time limit, and retries it', async () => {
    const { baseUrl } = await onScript('hang');
    const call = callerOf(language, { baseUrl, apiKey: KEY, timeoutSeconds: 0.05, retriesMax: 1 });
    const { error, pauses } = await call('retrieveCart', [CART.id]);
    expect(error).toMatchObject({ code: 'NO_RESPONSE', retryable: true });
    // The server may see fewer than two requests: a limit can end before the connection is made.
    expect(pauses).toStrictEqual(LONGEST_PAUSES.slice(0, 1));
  });

  test('waits for a status at growing intervals, until its deadline', async () => {
    const { call } = await onScript({ status: 200, body: CART });
    const waited = await call('waitForStatus', [CART.id]);
    expect(waited).toMatchObject({ value: CART, pauses: [1, 2, 4, 8, 8, 7] });
    expect((await call('waitForStatus', [CART.id], { deadlineSeconds: 0 })).pauses).toStrictEqual([]);
  });

  test('stops waiting at the status, and transfers an unchanged cart once', async () => {
    const failed = { ...CART, status: 'payment_failed' };
    const completed = { ...CART, status: 'completed' };
    const { call, requests } = await onScript(
      { status: 200, headers: { ETag: '"1"' }, body: CART },
      { status: 304 },
      { status: 200, headers: { ETag: '"2"' }, body: failed },
      { status: 200, body: completed },
    );
    expect(await call('waitForStatus', [CART.id])).toMatchObject({ value: failed, pauses: [1, 2] });
    expect(requests.map(({ headers }) => headers['if-none-match'])).toStrictEqual([undefined, '"1"', '"1"']);
    const { value } = await call('waitForStatus', [CART.id], { statuses: ['completed'] });
    expect(value).toStrictEqual(completed);
  });

  test('returns the cart as last retrieved if the API then fails until the deadline', async () => {
    const { call } = await onScript(
      { status: 200, body: CART },
      { status: 503, headers: { 'Retry-After': '9' }, body: UNAVAILABLE },
    );
    const { value, pauses } = await call('waitForStatus', [CART.id], { deadlineSeconds: 15 });
    expect(value).toStrictEqual(CART);
    expect(pauses.reduce((sum, seconds) => sum + seconds, 0)).toBe(15);

    const down = await onScript({ status: 503, body: UNAVAILABLE });
    expect((await down.call('waitForStatus', [CART.id])).error).toMatchObject({ status: 503 });
    const gone = await onScript(
      { status: 200, body: CART },
      { status: 401, body: { code: 'INVALID_API_KEY', message: '' } },
    );
    expect((await gone.call('waitForStatus', [CART.id])).error).toMatchObject({ code: 'INVALID_API_KEY' });
  });

  test('reads the products of its store, page by page, and one of them', async () => {
    const storeId = randomUUID();
    for (const id of ['a', 'b', 'c']) await api.givenProduct({ id: `${storeId}-${id}`, storeId });
    const call = callerOf(language, { baseUrl: api.baseUrl, apiKey: await api.givenKey({ storeId }) });
    const pages = (await call('productPages', [], { limit: 2 })).value as { products: { id: string }[] }[];
    const ids = pages.map(({ products }) => products.map(({ id }) => id.slice(-1)));
    expect(ids).toStrictEqual([['a', 'b'], ['c']]);
    expect((await call('retrieveProduct', [`${storeId}-b`])).value).toStrictEqual(pages[0]?.products[1]);
    expect((await call('retrieveProduct', ['a/b?c'])).error).toMatchObject({ status: 404 });
  });

  test('reads the feed to its end, page by page, and continues after a cursor', async () => {
    const [storeId, { baseUrl }] = [randomUUID(), api];
    const call = callerOf(language, { baseUrl, apiKey: await api.givenKey({ storeId }) });
    const complete = () => api.completeCart(storeId);
    const ids = [await complete(), await complete(), await complete()];
    const read = async (options: object): Promise<readonly Page[]> =>
      (await call('eventPages', [], { ...options })).value as Page[];
    const idsOf = (pages: readonly Page[]) => pages.map(({ events }) => events.map(({ data }) => data.id));

    const pages = await read({ limit: 2 });
    expect(idsOf(pages)).toStrictEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(pages.map(({ hasMore }) => hasMore)).toStrictEqual([true, false]);
    expect(idsOf(await read({ after: pages.at(0)?.cursor }))).toStrictEqual([ids.slice(2)]);
    expect(idsOf(await read({ after: pages.at(-1)?.cursor }))).toStrictEqual([[]]);
    expect((await call('listEvents', [], { after: 'x y&limit=1' })).error).toMatchObject({
      status: 422,
      details: [{ path: 'query.after', message: expect.any(String) }],
    });
  });

  test('shows its address and never its key', async () => {
    const call = callerOf(language, { baseUrl: 'http://127.0.0.1:1/', apiKey: KEY, retriesMax: 0 });
    const { value } = await call('dump');
    expect(value).toContain('CartCheckout(http://127.0.0.1:1)');
    expect(JSON.stringify([value, await call('retrieveCart', ['1'])])).not.toContain(KEY.slice(10, -6));
  });
});
