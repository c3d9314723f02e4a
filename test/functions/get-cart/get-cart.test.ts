import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createCartCheckout } from '../../../functions/create-cart-checkout/contract.ts';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { retrievedCartSchema } from '../../../lib/carts/cart-view-schema.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { createPaymentRepositories } from '../../../lib/payments/payment-repositories.ts';
import { recordPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { expectError, expectRateLimitHeaders } from '../../support/contract/expect-error.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { paymentTablesOf } from '../../support/domain/payment-tables.ts';
import { payment, refund } from '../../support/domain/payments.ts';
import { CHECKOUT_URLS } from '../../support/functions/dependencies.ts';
import { BUYER } from '../../support/secrets.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { givenService } from '../../support/service/service.ts';

const service = await givenService();
const apiKey = await service.givenKey({ limit: 1_000 });

const givenCart = async (changes: Record<string, unknown> = {}, key = apiKey, owner = service) =>
  cartIdOf(await owner.createCart(cartBody(await owner.givenProduct(), changes), { apiKey: key }));

describe('200', () => {
  it('returns the whole cart right after its creation', async () => {
    const productId = await service.givenProduct();
    const request = cartBody(productId, { meta: { order: 'A-1' } });
    const id = cartIdOf(await service.createCart(request, { apiKey }));
    const response = await service.getCart(id, { apiKey });
    expect(response.status).toBe(200);
    expectRateLimitHeaders(response);
    expect(response.body).toStrictEqual({
      id,
      createdAt: '2026-01-15T12:30:00.250Z',
      updatedAt: '2026-01-15T12:30:00.250Z',
      status: 'waiting_payment',
      customerInfo: { ...BUYER },
      productDocumentId: productId,
      productName: 'Course 🎈',
      meta: { order: 'A-1' },
      price: { amount: 19.99, currency: 'EUR' },
      expiresAt: '2026-01-16T12:30:00.250Z',
      redirectUrl: `${CHECKOUT_URLS.test}/${id}`,
    });
  });

  it('returns each field of the request that a retrieved cart has, as it was sent', async () => {
    const request = Object.assign(
      {},
      ...Object.values(createCartCheckout.request!.examples).map(({ value }) => value),
    ) as Record<string, unknown>;
    const id = String(request['productDocumentId']);
    await service.givenProduct({ id, pricing: { type: 'free' } });
    const created = await service.createCart(JSON.stringify(request), { apiKey });
    const { body } = await service.getCart(cartIdOf(created), { apiKey });
    const { customerInfo, ...fields } = retrievedCartSchema.shape;
    const documented = { ...fields, ...customerInfo.shape };
    const sent = Object.entries(request).filter(([field]) => field in documented);
    expect(sent.length).toBeGreaterThan(4);
    expect({ ...body, ...(body['customerInfo'] as object) }).toMatchObject(Object.fromEntries(sent));
  });

  it('reports an unpaid cart as abandoned from its expiry on', async () => {
    const aging = await givenService();
    const key = { apiKey: await aging.givenKey() };
    const id = await givenCart({}, key.apiKey, aging);
    aging.clock.advance(24 * 3_600 - 0.001);
    expect((await aging.getCart(id, key)).body['status']).toBe('waiting_payment');
    aging.clock.advance(0.001);
    expect((await aging.getCart(id, key)).body).toMatchObject({
      status: 'abandoned',
      updatedAt: '2026-01-16T12:30:00.250Z',
    });
  });
});

describe('the table of a mode', () => {
  /** The tables that have a cart. */
  const tablesOf = async (id: string): Promise<string[]> => {
    const { documents, tableNames } = service;
    const stored = async (TableName: string) =>
      (await documents.send(new GetCommand({ TableName, Key: { id } }))).Item !== undefined;
    const names = ['carts', 'testCarts'] as const;
    const found = await Promise.all(names.map((name) => stored(tableNames[name])));
    return names.filter((_, index) => found[index]);
  };

  it('has its new carts, and no other table has', async () => {
    const liveKey = await service.givenKey({ mode: 'live' });
    expect(await tablesOf(await givenCart())).toStrictEqual(['testCarts']);
    expect(await tablesOf(await givenCart({}, liveKey))).toStrictEqual(['carts']);
  });
});

describe('304', () => {
  const ifNoneMatch = (tags: string) => ({ apiKey, headers: { 'If-None-Match': tags } });

  const etagOf = async (id: string): Promise<string> =>
    String((await service.getCart(id, { apiKey })).headers['etag']);

  it('has no body, the ETag and the headers of a 200, and costs a token too', async () => {
    const key = { apiKey: await service.givenKey() };
    const id = await givenCart({}, key.apiKey);
    const { headers, bodyText } = await service.getCart(id, key);
    const tag = String(headers['etag']);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const conditional = { ...key, headers: { 'IF-NONE-MATCH': tag } };
    const unchanged = await service.getCart(id, conditional);
    expect(unchanged).toMatchObject({ status: 304, bodyText: '', headers: { etag: tag } });
    expect(Object.keys(unchanged.headers).toSorted()).toStrictEqual(Object.keys(headers).toSorted());
    const left = [headers, unchanged.headers].map((of) => Number(of['x-ratelimit-remaining']));
    expect(left[1]).toBe(Number(left[0]) - 1);
    expect(bodyText).not.toBe('');
  });

  it.each(['TAG', 'W/TAG', '"other", TAG', 'W/"other",W/TAG , "more"', '*', ' * '])(
    'is the response to If-None-Match: %s',
    async (tags) => {
      const id = await givenCart();
      const sent = tags.replace('TAG', await etagOf(id));
      expect((await service.getCart(id, ifNoneMatch(sent))).status).toBe(304);
    },
  );

  it.each(['"other"', 'W/"other"', '""', '', 'TEXT', '"TEXT', '"TEXTx"', '"*"', '**'])(
    'is not the response to If-None-Match: %s',
    async (tags) => {
      const id = await givenCart();
      const sent = tags.replace('TEXT', (await etagOf(id)).slice(1, -1));
      expect((await service.getCart(id, ifNoneMatch(sent))).status).toBe(200);
    },
  );

  it('never follows a change: each state of a cart has another ETag, also when it expires by time alone', async () => {
    const aging = await givenService();
    const key = await aging.givenKey();
    const tags = ['"none"'];
    const expectChange = async (id: string, status: string): Promise<void> => {
      // Several lines are one list.
      const headers = { 'IF-NONE-MATCH': tags.join(', '), 'If-None-Match': '"another"' };
      const response = await aging.getCart(id, { apiKey: key, headers });
      expect(response).toMatchObject({ status: 200, body: { status } });
      tags.push(String(response.headers['etag']));
      expect(
        (await aging.getCart(id, { apiKey: key, headers: { 'If-None-Match': tags.at(-1) } })).status,
      ).toBe(304);
    };
    const { test: repositories } = createPaymentRepositories(
      aging.documents,
      paymentTablesOf(aging.tableNames),
      {
        now: aging.clock.now,
      },
    );
    const pay = (cartId: string, result: Payment['result']) => {
      // With two payments at the same time, either could count as the last.
      aging.clock.advance(1);
      const paid = payment({ result, occurredAtMs: aging.clock.now() });
      return recordPaymentEvent({ cartId, mode: 'test', payment: paid }, repositories);
    };
    const id = await givenCart({}, key, aging);
    await expectChange(id, 'waiting_payment');
    await pay(id, 'failed');
    await expectChange(id, 'payment_failed');
    await pay(id, 'failed');
    await expectChange(id, 'payment_failed');
    await pay(id, 'succeeded');
    await expectChange(id, 'completed');
    const { paymentId = '' } = (await aging.carts.test.find(id))!;
    await recordPaymentEvent({ cartId: id, mode: 'test', refund: refund({ paymentId }) }, repositories);
    await expectChange(id, 'completed');
    const unpaid = await givenCart({}, key, aging);
    await expectChange(unpaid, 'waiting_payment');
    aging.clock.advance(24 * 3_600);
    await expectChange(unpaid, 'abandoned');
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('comes after 401, 404 and 429', async () => {
    const { headers } = ifNoneMatch('*');
    expectError(await service.getCart(await givenCart(), { headers }), 'invalidApiKey');
    expectError(await service.getCart(randomUUID(), { apiKey, headers }), 'cartNotFound');
    const exhaustedKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
    const id = await givenCart({}, exhaustedKey);
    expectError(await service.getCart(id, { apiKey: exhaustedKey, headers }), 'rateLimited');
  });
});

describe('404', () => {
  it('is the same response for unknown, malformed, foreign and other-mode ids, whatever If-None-Match is', async () => {
    const otherStoreKey = await service.givenKey({ storeId: 'store-2' });
    const foreignProduct = await service.givenProduct({ storeId: 'store-2' });
    const ids = [
      randomUUID(),
      'not-a-uuid',
      '__proto__',
      `${randomUUID()} `,
      await givenCart({}, await service.givenKey({ mode: 'live' })),
      cartIdOf(await service.createCart(cartBody(foreignProduct), { apiKey: otherStoreKey })),
    ];
    for (const id of ids) {
      const response = await service.getCart(id, { apiKey });
      expectError(response, 'cartNotFound');
      expect(response.body['details']).toStrictEqual([
        { path: 'path.cartId', message: "No cart of the key's store and mode has this id" },
      ]);
      expectError(await service.getCart(id, { apiKey, headers: { 'If-None-Match': '*' } }), 'cartNotFound');
      expect(Object.keys(response.headers).toSorted()).toStrictEqual([
        'cache-control',
        'content-type',
        'link',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'x-request-id',
      ]);
    }
  });

  it('hides test carts from live keys, which find live carts', async () => {
    const liveKey = await service.givenKey({ mode: 'live' });
    expect((await service.getCart(await givenCart({}, liveKey), { apiKey: liveKey })).status).toBe(200);
    expectError(await service.getCart(await givenCart(), { apiKey: liveKey }), 'cartNotFound');
  });
});

describe('401 and 429', () => {
  it('come before 404', async () => {
    for (const key of [generateApiKey('test'), undefined])
      expectError(await service.getCart('none', { apiKey: key }), 'invalidApiKey');
    const exhaustedKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
    await service.getCart('none', { apiKey: exhaustedKey });
    expectError(await service.getCart(await givenCart(), { apiKey: exhaustedKey }), 'rateLimited');
  });
});

it('a misspelled If-None-Match gets 422 in test mode', async () => {
  const response = await service.getCart(await givenCart(), { apiKey, headers: { 'If_None-Match': '*' } });
  expectError(response, 'invalidPayload');
  expect(response.body['details']).toMatchObject([{ path: 'headers.if_none-match' }]);
});
