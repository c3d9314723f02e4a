import { beforeAll, describe, expect, it } from 'vitest';
import { cartBody, givenService, type TestService } from '../../support/service.ts';

let service: TestService;
let apiKey: string;
let productId: string;

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  productId = await service.givenProduct();
});

/** Creates a cart that must be accepted, and retrieves it. */
const expectRoundTrip = async (
  body: string | Uint8Array,
  headers: Record<string, string | undefined> = {},
) => {
  const created = await service.createCart(body, { apiKey, headers });
  expect(created.status).toBe(201);
  return (await service.getCart((created.body['cart'] as { id: string }).id, { apiKey })).body;
};

describe('input that is unusual but valid', () => {
  it.each([['application/json; charset=utf-8'], ['APPLICATION/JSON'], ['application/merchant.v1+json']])(
    'is taken as %s',
    async (type) => {
      await expectRoundTrip(cartBody(productId), { 'Content-Type': undefined, 'CONTENT-TYPE': type });
    },
  );

  it('has its names trimmed and every other character kept', async () => {
    const cart = await expectRoundTrip(
      cartBody(productId, { firstName: '  Zoë 🎈 ', lastName: '\u202eevil\u0000' }),
    );
    expect(cart['customerInfo']).toMatchObject({ firstName: 'Zoë 🎈', lastName: '\u202eevil\u0000' });
  });

  it('counts an emoji as one character', async () => {
    await expectRoundTrip(cartBody(productId, { firstName: '🎈'.repeat(100) }));
  });

  it('may name a field twice, of which the last counts', async () => {
    const cart = await expectRoundTrip(`{"email":"first@buyer.example",${cartBody(productId).slice(1)}`);
    expect(cart['customerInfo']).toMatchObject({ email: 'zsofia.quackenbush@buyer.example' });
  });

  it('may have unknown fields of any kind', async () => {
    const cart = await expectRoundTrip(
      cartBody(productId, { storeId: 'store-2', status: 'completed', mode: 'live' }),
    );
    expect(cart).toMatchObject({ status: 'waiting_payment' });
  });

  it('keeps meta at its bounds: 50 entries, keys of 40 and values of 500 characters, or empty values', async () => {
    const keys = Array.from({ length: 49 }, (_, i) => `${'é'.repeat(38)}${i + 10}`);
    const meta = { ...Object.fromEntries(keys.map((key) => [key, '€'.repeat(500)])), empty: '' };
    expect((await expectRoundTrip(cartBody(productId, { meta })))['meta']).toStrictEqual(meta);
  });

  it.each([
    'http://localhost:8080/thanks',
    'https://example.com/{CART_ID}?a=b#c',
    'https://exämple.com/ü',
    'HTTPS://EXAMPLE.COM',
  ])('may send the buyer to %s', async (redirectURL) => {
    await expectRoundTrip(cartBody(productId, { redirectURL }));
  });
});
