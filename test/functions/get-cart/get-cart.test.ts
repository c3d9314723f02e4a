import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { expectError, expectRateLimitHeaders } from '../../support/expect-error.ts';
import { BUYER } from '../../support/secrets.ts';
import { cartBody, givenService, type TestService } from '../../support/service.ts';

let service: TestService;
let apiKey: string;

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
});

const givenCart = async (
  changes: Record<string, unknown> = {},
  key = apiKey,
  { createCart, givenProduct } = service,
): Promise<string> => {
  const answer = await createCart(cartBody(await givenProduct(), changes), { apiKey: key });
  return (answer.body['cart'] as { id: string }).id;
};

describe('200', () => {
  it('answers the whole cart, right after its creation', async () => {
    const id = await givenCart({ meta: { order: 'A-1' } });
    const answer = await service.getCart(id, { apiKey });
    expect(answer.status).toBe(200);
    expectRateLimitHeaders(answer);
    expect(answer.body).toStrictEqual({
      id,
      createdAt: '2026-01-15T12:30:00.250Z',
      updatedAt: '2026-01-15T12:30:00.250Z',
      status: 'waiting_payment',
      customerInfo: { ...BUYER },
      meta: { order: 'A-1' },
      price: { amount: 19.99, currency: 'EUR' },
      expiresAt: '2026-01-16T12:30:00.250Z',
    });
  });

  it('answers an empty meta where none was given', async () => {
    const answer = await service.getCart(await givenCart(), { apiKey });
    expect(answer.body['meta']).toStrictEqual({});
  });

  it('reads the id in either case', async () => {
    const id = await givenCart();
    expect((await service.getCart(id.toUpperCase(), { apiKey })).body['id']).toBe(id);
  });

  it('keeps meta keys that are names of JavaScript as the data they are', async () => {
    const meta = { constructor: 'a', prototype: 'b', toString: 'c', hasOwnProperty: 'd', length: '5' };
    const answer = await service.getCart(await givenCart({ meta }), { apiKey });
    expect(answer.body['meta']).toStrictEqual(meta);
  });

  it('tells an unpaid cart abandoned from the moment it expires, and since when', async () => {
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

describe('404', () => {
  it('never tells why: unknown, malformed, foreign and other-mode ids answer the same bytes', async () => {
    const otherStoreKey = await service.givenKey({ storeId: 'store-2' });
    const liveKey = await service.givenKey({ mode: 'live' });
    const ids = [
      randomUUID(),
      'not-a-uuid',
      '__proto__',
      `${randomUUID()} `,
      await givenCart({}, liveKey),
      await service
        .createCart(cartBody(await service.givenProduct({ storeId: 'store-2' })), { apiKey: otherStoreKey })
        .then(({ body }) => (body['cart'] as { id: string }).id),
    ];
    for (const id of ids) {
      const answer = await service.getCart(id, { apiKey });
      expectError(answer, 'cartNotFound');
      expect(answer.bodyText).toBe(
        '{"code":"INVALID_PRODUCT","message":"The cart does not exist or does not belong to this store"}',
      );
      expect(Object.keys(answer.headers).toSorted()).toStrictEqual([
        'cache-control',
        'content-type',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'x-request-id',
      ]);
    }
  });

  it('hides live carts from test keys and test carts from live keys', async () => {
    const liveKey = await service.givenKey({ mode: 'live' });
    const liveCart = await givenCart({}, liveKey);
    const testCart = await givenCart();
    expect((await service.getCart(liveCart, { apiKey: liveKey })).status).toBe(200);
    expectError(await service.getCart(liveCart, { apiKey }), 'cartNotFound');
    expectError(await service.getCart(testCart, { apiKey: liveKey }), 'cartNotFound');
  });
});

describe('401 and 429', () => {
  it('come before 404', async () => {
    expectError(await service.getCart('none', { apiKey: generateApiKey('test') }), 'invalidApiKey');
    expectError(await service.getCart('none', {}), 'invalidApiKey');
    const exhaustedKey = await service.givenKey({ limit: 1, windowSeconds: 3_600 });
    await service.getCart('none', { apiKey: exhaustedKey });
    expectError(await service.getCart(await givenCart(), { apiKey: exhaustedKey }), 'rateLimited');
  });
});
