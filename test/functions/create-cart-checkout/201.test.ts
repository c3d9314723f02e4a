import { createHmac } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { expectError, expectRateLimitHeaders } from '../../support/contract/expect-error.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { CHECKOUT_URLS } from '../../support/functions/dependencies.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { BUYER } from '../../support/secrets.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { type ApiRequest, givenService } from '../../support/service/service.ts';

const service = await givenService();
const apiKey = await service.givenKey({ limit: 1_000 });
const productId = await service.givenProduct();

/** Creates a cart; the request must succeed. */
const create = async (
  changes: Record<string, unknown> = {},
  request: ApiRequest = {},
): Promise<ApiResponse> => {
  const response = await service.createCart(cartBody(productId, changes), { apiKey, ...request });
  expect(response.status).toBe(201);
  return response;
};

describe('a valid request', () => {
  it('creates a waiting cart and returns the payment address', async () => {
    const response = await create();
    const { body, headers } = response;
    const { id } = body['cart'] as { id: string };
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(body).toStrictEqual({
      cart: {
        id,
        createdAt: '2026-01-15T12:30:00.250Z',
        updatedAt: '2026-01-15T12:30:00.250Z',
        status: 'waiting_payment',
        customerInfo: { ...BUYER },
        productDocumentId: productId,
        productName: 'Course 🎈',
        price: { amount: 19.99, currency: 'EUR' },
        expiresAt: '2026-01-16T12:30:00.250Z',
      },
      redirectUrl: `${CHECKOUT_URLS.test}/${id}`,
    });
    expectRateLimitHeaders(response);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['cache-control']).toBe('no-store');
    for (const name of ['retry-after', 'idempotent-replayed']) expect(headers).not.toHaveProperty(name);
  });

  it('stores neither unknown fields nor the text of the API key', async () => {
    const created = await create({ cardNumber: '4242', storeId: 'store-2', mode: 'live' });
    const { Item } = await service.documents.send(
      new GetCommand({ TableName: service.tableNames.testCarts, Key: { id: cartIdOf(created) } }),
    );
    expect(Item).toMatchObject({ storeId: 'store-1', mode: 'test', status: 'waiting_payment' });
    expect(JSON.stringify(Item)).not.toMatch(/4242|cardNumber|cck_/);
  });

  it('with a live key returns the live payment address', async () => {
    const created = await create({}, { apiKey: await service.givenKey({ mode: 'live' }) });
    expect(created.body['redirectUrl']).toBe(`${CHECKOUT_URLS.live}/${cartIdOf(created)}`);
  });
});

it('takes the locale of Accept-Language before that of the key', async () => {
  const request = {
    apiKey: await service.givenKey({ lang: 'de-DE' }),
    headers: { 'ACCEPT-LANGUAGE': 'fr, fr-ca;q=0.9, en-US;q=0.8' },
  };
  expect(await create({}, request)).toHaveProperty('body.cart.customerInfo.lang', 'fr-CA');
});

it.each([
  [undefined, 5],
  [7.25, 7.25],
])('charges the suggested price of a free product, or the price of the buyer: %s', async (price, amount) => {
  const pricing = { type: 'free', minimum: 1, suggested: 5 } as const;
  const productDocumentId = await service.givenProduct({ pricing });
  const created = await create({ productDocumentId, customerPrice: price });
  const cart = await service.carts.test.find(cartIdOf(created));
  expect(cart?.price).toStrictEqual({ amount, currency: 'EUR' });
  expect(created.body).toHaveProperty('cart.price', cart?.price);
});

it('accepts a misspelled field with a live key, and logs the name that is meant, with the store', async () => {
  const liveKey = await service.givenKey({ mode: 'live' });
  const sent = { Redirect_Url: 'https://shop.example/', cardNumber: '4242' };
  const [line] = await logged(() => create(sent, { apiKey: liveKey }));
  expect(line).toMatchObject({ storeId: 'store-1', mode: 'live', testModeIssues: ['redirectURL'] });
  expect(JSON.stringify(line)).not.toMatch(/Redirect_Url|cardNumber|shop/);
});

it('accepts with a live key what harms somebody later, and logs the fields and the rules', async () => {
  const liveKey = await service.givenKey({ mode: 'live' });
  const redirectURL = `https://shop.example/${'名'.repeat(2_000)}`;
  const body = cartBody(productId, { firstName: '\u200b', redirectURL, meta: { a: '\0' } });
  const numbers = `,"customerPrice":19.989999999999998,"orderId":12345678901234567890}`;
  const headers = { 'IDEMPOTENCY-KEY': 'a', 'Idempotency-Key': 'order-12' };
  let created: ApiResponse | undefined;
  const [line] = await logged(async () => {
    created = await service.createCart(body.replace(/\}$/, numbers), { apiKey: liveKey, headers });
  });
  expect(created).toMatchObject({ status: 201 });
  expect(line).toHaveProperty('testModeIssues', [
    'customerPrice (digits)',
    'firstName (text)',
    'meta (text)',
    'redirectURL (length)',
    'headers.idempotency-key (repeated)',
  ]);
  // The last line of the header counts.
  const replayed = await service.createCart(body.replace(/\}$/, ',"customerPrice":19.99}'), {
    apiKey: liveKey,
    headers: { 'Idempotency-Key': 'order-12' },
  });
  expect(replayed.headers).toHaveProperty('idempotent-replayed', 'true');
});

it('ignores a price that is not the one of the product with a live key, and rejects it with a test key', async () => {
  await create({ price: 7 }, { apiKey: await service.givenKey({ mode: 'live' }) });
  expectError(await service.createCart(cartBody(productId, { price: 7 }), { apiKey }), 'invalidPayload');
});

describe('a field that clients often send for an absent one', () => {
  it.each([
    { phone: null, redirectURL: null, meta: null, customerPrice: null },
    { phone: '', meta: [] },
    { phone: undefined },
  ])('is absent: %j', async (changes) => {
    const { body } = await service.getCart(cartIdOf(await create(changes)), { apiKey });
    expect(body['customerInfo']).not.toHaveProperty('phone');
    expect(body['meta']).toStrictEqual({});
  });

  it('may be the price of a fixed-price product, and an e-mail address between spaces', async () => {
    const { body } = await service.getCart(
      cartIdOf(await create({ customerPrice: 19.99, email: `\t${BUYER.email} \n` })),
      { apiKey },
    );
    expect(body).toMatchObject({ price: { amount: 19.99 }, customerInfo: { email: BUYER.email } });
  });
});

describe('unusual but valid input', () => {
  const retrieve = async (created: ApiResponse): Promise<Record<string, unknown>> =>
    (await service.getCart(cartIdOf(created), { apiKey })).body;

  it('is returned as it was sent, with trimmed names', async () => {
    const cart = await retrieve(await create({ firstName: '  Zoë 🎈 ', lastName: 'محمد\u200c' }));
    expect(cart['customerInfo']).toMatchObject({ firstName: 'Zoë 🎈', lastName: 'محمد\u200c' });
  });

  it('may contain a field twice: the last one counts', async () => {
    const body = `{"email":"first@buyer.example",${cartBody(productId).slice(1)}`;
    const cart = await retrieve(await service.createCart(body, { apiKey }));
    expect(cart['customerInfo']).toMatchObject({ email: BUYER.email });
  });

  it('fits into the database with 50 meta entries of 40 and 500 characters', async () => {
    const keys = Array.from({ length: 49 }, (_, index) => `${'é'.repeat(38)}${index + 10}`);
    const meta = { ...Object.fromEntries(keys.map((key) => [key, '€'.repeat(500)])), empty: '' };
    expect((await retrieve(await create({ meta })))['meta']).toStrictEqual(meta);
  });
});

/** Sends a create request with an Idempotency-Key. */
const createOnce = (idempotencyKey: string, body: string): Promise<ApiResponse> =>
  service.createCart(body, { apiKey, headers: { 'Idempotency-Key': idempotencyKey } });

describe('a request with an Idempotency-Key', () => {
  it('is replayed: the response is the same, is marked, and costs a token too', async () => {
    const first = await createOnce('order-1', cartBody(productId));
    service.clock.advance(1);
    const retry = await createOnce('order-1', cartBody(productId));
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(retry.headers['idempotent-replayed']).toBe('true');
    expect([retry.status, retry.bodyText]).toStrictEqual([201, first.bodyText]);
    service.clock.advance(60);
    const before = await createOnce('order-1', cartBody(productId));
    const after = await createOnce('order-1', cartBody(productId));
    const [left, leftAfter] = [before, after].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(leftAfter).toBe(Number(left) - 1);
  });

  it('counts as a created cart once, and then as a replayed one', async () => {
    const lines = await logged(async () => {
      await createOnce('order-10', cartBody(productId));
      await createOnce('order-10', cartBody(productId));
    });
    const counted = lines.map((line) => Object.keys(line).filter((name) => name.startsWith('Carts')));
    expect(counted).toStrictEqual([['CartsCreated'], ['CartsReplayed']]);
  });

  it('is replayed without the fields that count as absent', async () => {
    const first = await createOnce('order-9', cartBody(productId, { phone: '', redirectURL: null }));
    expect((await createOnce('order-9', cartBody(productId, { phone: undefined }))).bodyText).toBe(
      first.bodyText,
    );
  });

  it('is replayed whatever white space surrounds the key', async () => {
    const first = await createOnce('order-11', cartBody(productId));
    expect((await createOnce('order-11\t ', cartBody(productId))).bodyText).toBe(first.bodyText);
  });

  it('is replayed to every key of its store and mode, such as to the successor of a rotated key', async () => {
    const body = cartBody(productId);
    const first = await createOnce('order-7', body);
    const createBy = (key: string) =>
      service.createCart(body, { apiKey: key, headers: { 'Idempotency-Key': 'order-7' } });
    const replayed = await createBy(await service.givenKey());
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.bodyText).toBe(first.bodyText);
    const live = await createBy(await service.givenKey({ mode: 'live' }));
    expect(live.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('makes a cart whose id nobody can compute from the API key', async () => {
    const digest = createHmac('sha256', apiKey).update('order-8').digest('hex');
    const cartId = cartIdOf(await createOnce('order-8', cartBody(productId)));
    // A UUID replaces the digits 13 and 17.
    const randomPart = (hex: string) =>
      hex.replaceAll('-', '').replace(/^(.{12}).(.{3}).(.{15}).*$/, '$1$2$3');
    expect(randomPart(cartId)).not.toBe(randomPart(digest));
  });

  it('still finds its cart after the product became unavailable', async () => {
    const id = await service.givenProduct();
    const first = await createOnce('order-5', cartBody(id));
    await service.givenProduct({ id, available: false });
    expect((await createOnce('order-5', cartBody(id))).bodyText).toBe(first.bodyText);
    expectError(await createOnce('order-5', cartBody(id, { phone: '1' })), 'idempotencyKeyReused');
    expectError(await createOnce('order-6', cartBody(id)), 'invalidProduct');
  });
});
