import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectRateLimitHeaders } from '../../support/expect-error.ts';
import { BUYER } from '../../support/secrets.ts';
import { cartBody, CHECKOUT_URLS, givenService, type TestService } from '../../support/service.ts';

let service: TestService;
let apiKey: string;
let productId: string;

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey();
  productId = await service.givenProduct();
});

const idOf = (body: Record<string, unknown>): string => (body['cart'] as { id: string }).id;

describe('a valid request', () => {
  it('creates a waiting cart and tells where to pay, in the shape of the document', async () => {
    const answer = await service.createCart(cartBody(productId), { apiKey });
    expect(answer.status).toBe(201);
    const id = idOf(answer.body);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(answer.body).toStrictEqual({
      cart: {
        id,
        createdAt: '2026-01-15T12:30:00.250Z',
        updatedAt: '2026-01-15T12:30:00.250Z',
        status: 'waiting_payment',
        customerInfo: { ...BUYER },
      },
      redirectUrl: `${CHECKOUT_URLS.test}/${id}`,
    });
  });

  it('carries the rate-limit headers, a request id, and is never cached', async () => {
    const answer = await service.createCart(cartBody(productId), { apiKey });
    expectRateLimitHeaders(answer);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(answer.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('leaves out what the buyer did not give', async () => {
    const answer = await service.createCart(cartBody(productId, { phone: undefined }), { apiKey });
    const { customerInfo } = answer.body['cart'] as { customerInfo: object };
    expect(Object.keys(customerInfo)).toStrictEqual(['firstName', 'lastName', 'email']);
  });

  it('stores neither unknown fields nor the text of the API key', async () => {
    const answer = await service.createCart(cartBody(productId, { cardNumber: '4242' }), { apiKey });
    const { Item } = await service.documents.send(
      new GetCommand({ TableName: service.tableNames.carts, Key: { id: idOf(answer.body) } }),
    );
    expect(JSON.stringify(Item)).not.toMatch(/4242|cardNumber|cck_/);
  });

  it('is deleted by TTL 30 days after its expiry, unless it is paid', async () => {
    const answer = await service.createCart(cartBody(productId), { apiKey });
    const cart = await service.carts.find(idOf(answer.body));
    expect(cart?.deleteAtSeconds).toBe(Date.UTC(2026, 1, 15, 12, 30, 1) / 1_000);
  });
});

describe('the mode of the key', () => {
  it('sends the buyer of a live cart to the live address', async () => {
    const liveKey = await service.givenKey({ mode: 'live' });
    const answer = await service.createCart(cartBody(productId), { apiKey: liveKey });
    expect(answer.body['redirectUrl']).toBe(`${CHECKOUT_URLS.live}/${idOf(answer.body)}`);
  });
});

describe("the buyer's locale", () => {
  const langOf = (body: Record<string, unknown>): string | undefined =>
    (body['cart'] as { customerInfo: { lang?: string } }).customerInfo.lang;

  it('is the first language-REGION tag of Accept-Language', async () => {
    const headers = { 'ACCEPT-LANGUAGE': 'fr, fr-ca;q=0.9, en-US;q=0.8' };
    const answer = await service.createCart(cartBody(productId), { apiKey, headers });
    expect(langOf(answer.body)).toBe('fr-CA');
  });

  it("is the key's default where the request names none", async () => {
    const frenchKey = await service.givenKey({ lang: 'fr-FR' });
    const headers = { 'Accept-Language': 'de, *;q=0.5' };
    const answer = await service.createCart(cartBody(productId), { apiKey: frenchKey, headers });
    expect(langOf(answer.body)).toBe('fr-FR');
  });

  it('is absent where neither names one', async () => {
    const answer = await service.createCart(cartBody(productId), { apiKey });
    expect(langOf(answer.body)).toBeUndefined();
  });
});

describe('free pricing', () => {
  const priceOf = async (pricing: object, changes: object): Promise<unknown> => {
    const freeId = await service.givenProduct({ pricing: { type: 'free', ...pricing } });
    const answer = await service.createCart(cartBody(freeId, { ...changes }), { apiKey });
    expect(answer.status).toBe(201);
    return (await service.carts.find(idOf(answer.body)))?.price;
  };

  it("charges the buyer's price", async () => {
    expect(await priceOf({ minimum: 1, suggested: 5 }, { customerPrice: 7.25 })).toStrictEqual({
      amount: 7.25,
      currency: 'EUR',
    });
  });

  it('charges the suggested price where the buyer chose none', async () => {
    expect(await priceOf({ minimum: 1, suggested: 5 }, {})).toStrictEqual({ amount: 5, currency: 'EUR' });
  });

  it('takes the minimum itself', async () => {
    expect(await priceOf({ minimum: 1 }, { customerPrice: 1 })).toStrictEqual({ amount: 1, currency: 'EUR' });
  });
});
