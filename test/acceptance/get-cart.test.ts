import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiResponse, cartBody, cartIdOf, createCart, getCart, inputs } from './support/client.ts';
import { DATE_TIME, expectRejection, expectResponse, expectSameBytes } from './support/expectations.ts';
import { given } from './support/inputs.ts';

const givenCart = async (changes?: Record<string, unknown>): Promise<ApiResponse> => {
  const created = await createCart(cartBody(changes));
  expectResponse(created, 201);
  return created;
};

describe('a retrieved cart', () => {
  it('has the fields of the created cart, its meta, its expiry and its payment address', async () => {
    const meta = { order: 'A-1', empty: '', constructor: 'x', 'Zoë 🎈': '\u202e' };
    const created = await givenCart({ meta });
    const response = await getCart(cartIdOf(created));
    expectResponse(response, 200);
    expect(response.body).toStrictEqual({
      ...(created.body['cart'] as object),
      meta,
      expiresAt: expect.stringMatching(DATE_TIME),
      redirectUrl: created.body['redirectUrl'],
    });
  });

  it('expires CART_EXPIRY_MINUTES after its creation', async () => {
    const { body } = await getCart(cartIdOf(await givenCart()));
    const waitsMs = Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']));
    expect(waitsMs / 60_000).toBe(inputs.cartExpiryMinutes);
  });

  it('has an empty meta without one in the request, and no payment', async () => {
    const { body } = await getCart(cartIdOf(await givenCart()));
    expect(body['meta']).toStrictEqual({});
    expect(body).not.toHaveProperty('paymentId');
    expect(body).not.toHaveProperty('latePayment');
  });

  it('is found right after its creation, each of ten times', async () => {
    for (let round = 0; round < 10; round += 1) {
      const created = await createCart(cartBody());
      expect((await getCart(cartIdOf(created))).body).toHaveProperty('id', cartIdOf(created));
    }
  });

  it('is not sent again to a client that has it', async () => {
    const id = cartIdOf(await givenCart());
    const { etag } = (await getCart(id)).headers;
    const unchanged = await getCart(id, { headers: { 'If-None-Match': etag } });
    expectResponse(unchanged, 304);
    expect(unchanged).toMatchObject({ bodyText: '', headers: { etag } });
    expectResponse(await getCart(id, { headers: { 'If-None-Match': '"other"' } }), 200);
  });

  it('is the same each time', async () => {
    const meta = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key-${index}`, 'x']));
    const id = cartIdOf(await givenCart({ meta }));
    expectSameBytes([await getCart(id), await getCart(id)]);
  });

  it.each(['authorization', 'AUTHORIZATION'])('is found with the header name %s', async (name) => {
    const headers = { Authorization: undefined, [name]: `Bearer ${inputs.apiKey}` };
    expectResponse(await getCart(cartIdOf(await givenCart()), { headers }), 200);
  });
});

const MALFORMED_IDS = [
  '0',
  'not-a-uuid',
  '__proto__',
  `${randomUUID()} `,
  `{${randomUUID()}}`,
  'é',
  'x'.repeat(1_000),
];

describe('an id of no cart of the store is rejected with 404', () => {
  it('in the same bytes for unknown and malformed ids', async () => {
    const responses = [await getCart(randomUUID())];
    for (const id of MALFORMED_IDS) responses.push(await getCart(id));
    for (const response of responses) expectRejection(response, 'cartNotFound');
    expectSameBytes(responses);
  });

  for (const apiKey of given(inputs.otherApiKey)) {
    it("in the same bytes for another store's cart", async () => {
      const id = cartIdOf(await givenCart());
      const response = await getCart(id, { apiKey });
      expectRejection(response, 'cartNotFound');
      expectSameBytes([response, await getCart(randomUUID(), { apiKey })]);
      expectResponse(await getCart(id), 200);
    });
  }
});
