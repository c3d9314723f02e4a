import { describe, expect, it } from 'vitest';
import { BUYER } from '../support/secrets.ts';
import {
  type ApiResponse,
  bodyWith,
  cartBody,
  cartIdOf,
  createCart,
  getCart,
  inputs,
} from './support/client.ts';
import {
  respondedAtSeconds,
  DATE_TIME,
  expectResponse,
  expectRejection,
  expectSameBytes,
  LOCALE,
  UUID,
} from './support/expectations.ts';
import { given } from './support/inputs.ts';

interface CreatedCart {
  readonly id: string;
  readonly price: { readonly amount: number };
  readonly createdAt: string;
  readonly customerInfo: Readonly<Record<string, string>>;
}

const expectCreated = (response: ApiResponse): CreatedCart => {
  expectResponse(response, 201);
  return response.body['cart'] as CreatedCart;
};

/** The buyer in the response. */
const buyerOf = async (
  changes: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Readonly<Record<string, string>>> =>
  expectCreated(await createCart(cartBody(changes), { headers })).customerInfo;

describe('a created cart', () => {
  it('has exactly the fields of the contract', async () => {
    const response = await createCart(cartBody(), { headers: { 'Accept-Language': 'fr-CA' } });
    const cart = expectCreated(response);
    const { redirectUrl } = response.body;
    expect(response.body).toStrictEqual({
      cart: {
        id: expect.stringMatching(UUID),
        createdAt: expect.stringMatching(DATE_TIME),
        updatedAt: cart.createdAt,
        expiresAt: expect.stringMatching(DATE_TIME),
        status: 'waiting_payment',
        customerInfo: { ...BUYER, lang: 'fr-CA' },
        productDocumentId: inputs.productId,
        productName: expect.stringMatching(/./),
        price: { amount: expect.any(Number), currency: expect.stringMatching(/^[A-Z]{3}$/) },
      },
      redirectUrl: expect.stringMatching(/^https?:\/\/./),
    });
    expect(new URL(String(redirectUrl)).pathname.split('/').at(-1)).toBe(cart.id);
    expect(response.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('has the present time as its creation time', async () => {
    const response = await createCart(cartBody());
    const seconds = Date.parse(expectCreated(response).createdAt) / 1_000;
    expect(Math.abs(seconds - respondedAtSeconds(response))).toBeLessThan(60);
  });

  it('has a new id each time, and so has the request', async () => {
    const responses = [await createCart(cartBody()), await createCart(cartBody())];
    expect(new Set(responses.map(cartIdOf)).size).toBe(2);
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(2);
  });

  it('leaves out optional fields that the request leaves out', async () => {
    const { lang = 'xx-XX', ...others } = await buyerOf({ phone: undefined });

    const { phone: _, ...expected } = BUYER;
    expect(others).toStrictEqual(expected);
    expect(lang).toMatch(LOCALE);
  });

  it('has trimmed names and every other character as it was sent', async () => {
    const buyer = await buyerOf({ firstName: '  Zoë 🎈 ', lastName: 'O’Gogh \u00e9\u0301', phone: ' 1 ' });
    expect(buyer).toMatchObject({ firstName: 'Zoë 🎈', lastName: 'O’Gogh \u00e9\u0301', phone: ' 1 ' });
  });
});

describe("the buyer's locale", () => {
  it.each([
    ['fr-CA', 'fr-CA'],
    ['fr, fr-ca;q=0.9, en-US;q=0.8', 'fr-CA'],
    ['es-419', 'es-419'],
  ])('is the first language-REGION tag of Accept-Language: %s', async (header, lang) => {
    expect(await buyerOf({}, { 'Accept-Language': header })).toHaveProperty('lang', lang);
  });

  it("is the key's own, or absent, if Accept-Language names no region", async () => {
    const { lang } = await buyerOf({});
    expect((await buyerOf({}, { 'Accept-Language': 'de, *;q=0.5' }))['lang']).toBe(lang);
  });
});

const labels = (...lengths: number[]): string => lengths.map((length) => 'x'.repeat(length)).join('.');
const longMeta = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`${'k'.repeat(38)}${index + 10}`, '€'.repeat(500)]),
);

describe('a request is accepted', () => {
  it.each<[string, Record<string, unknown>]>([
    ['names of 1 character', { firstName: 'A', lastName: 'B' }],
    ['names of 100 characters, counted as code points', { firstName: '🎈'.repeat(100) }],
    ['names of 100 characters between spaces', { lastName: ` ${'x'.repeat(100)} ` }],
    ['a phone number of 32 characters', { phone: '1'.repeat(32) }],
    ['an e-mail address of 254 characters', { email: `${'x'.repeat(64)}@${labels(63, 63, 61)}` }],
    ['an e-mail address with a tag', { email: 'zsofia+cart@mail.buyer.example' }],
    ['a return address of 2048 characters', { redirectURL: `https://a.example/${'x'.repeat(2_030)}` }],
    ['a return address on this machine', { redirectURL: 'http://localhost:8080/thanks' }],
    ['a placeholder in the return address', { redirectURL: 'https://a.example/{CART_ID}?a=b#c' }],
    ['meta of 50 entries, keys of 40 and values of 500 characters', { meta: longMeta }],
    ['meta with an empty value', { meta: { empty: '' } }],
    ['empty meta', { meta: {} }],
    ["empty meta in PHP's encoding", { meta: [] }],
    ['null for each optional field', { phone: null, redirectURL: null, meta: null, customerPrice: null }],
    ['an empty phone number', { phone: '' }],
    ['an e-mail address between spaces', { email: ' zsofia@buyer.example\n' }],
    ['unknown fields', { status: 'completed', id: 'x', storeId: 'x', nested: { a: [1] } }],
  ])('with %s', async (_, changes) => {
    expectResponse(await createCart(cartBody(changes)), 201);
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merchant.v1+json'])(
    'as %s',
    async (type) => {
      expectResponse(await createCart(cartBody(), { headers: { 'Content-Type': type } }), 201);
    },
  );

  it('with 128 KiB, and no more', async () => {
    const rest = Buffer.byteLength(bodyWith('"padding":""'));
    const body = bodyWith(`"padding":"${'x'.repeat(131_072 - rest)}"`);
    expectResponse(await createCart(body), 201);
    expectResponse(await createCart(`${body} `), 422);
  });

  it('with a product id of 128 characters, which no product has', async () => {
    expectRejection(
      await createCart(cartBody({ productDocumentId: 'aZ09_-'.padEnd(128, 'x') })),
      'invalidProduct',
    );
  });

  it.each<[string, (name: string) => string]>([
    ['lower case', (name) => name.toLowerCase()],
    ['upper case', (name) => name.toUpperCase()],
  ])('with header names in %s', async (_, inCase) => {
    const headers = {
      Authorization: undefined,
      'Content-Type': undefined,
      [inCase('Authorization')]: `Bearer ${inputs.apiKey}`,
      [inCase('Content-Type')]: 'application/json',
      [inCase('Accept-Language')]: 'de-AT',
    };
    expect(expectCreated(await createCart(cartBody(), { headers })).customerInfo['lang']).toBe('de-AT');
  });
});

describe('an unknown field', () => {
  it('is not stored', async () => {
    const created = await createCart(cartBody({ status: 'completed', createdAt: '', cardNumber: '4242' }));
    const { body } = await getCart(cartIdOf(created));
    expect(body).toMatchObject({ status: 'waiting_payment', createdAt: expect.stringMatching(DATE_TIME) });
    expect(body).not.toHaveProperty('cardNumber');
  });

  it('may state the price of the cart, but no other', async () => {
    const { price } = expectCreated(await createCart(cartBody()));
    const { amount } = price;
    expectCreated(await createCart(cartBody({ price, amount, quantity: 1 })));
    expect((await createCart(cartBody({ price: amount + 1 }))).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [
        { path: 'price', message: 'Unknown field price; the price of the product is fixed: omit the field' },
      ],
    });
  });
});

describe('a product that cannot be sold', () => {
  const unknown = cartBody({ productDocumentId: 'no-store-has-this-product' });

  it('is rejected with 400', async () => {
    expectRejection(await createCart(unknown), 'invalidProduct');
  });

  for (const id of given(inputs.unavailableProductId)) {
    it('is rejected with 400 if it is unavailable', async () => {
      expectRejection(await createCart(cartBody({ productDocumentId: id })), 'invalidProduct');
    });
  }

  for (const id of given(inputs.foreignProductId)) {
    it("is rejected in the same bytes if it is another store's", async () => {
      const response = await createCart(cartBody({ productDocumentId: id }));
      expectRejection(response, 'invalidProduct');
      expectSameBytes([response, await createCart(unknown)]);
    });
  }

  for (const id of given(inputs.foreignProductId)) {
    for (const apiKey of given(inputs.otherApiKey)) {
      it('is sold by the other store', async () => {
        expectResponse(await createCart(cartBody({ productDocumentId: id }), { apiKey }), 201);
      });
    }
  }
});
