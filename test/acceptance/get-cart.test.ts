import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApiResponse, cartBody, cartIdOf, createCart, getCart, inputs } from './support/client.ts';
import { DATE_TIME, expectResponse, expectRejection, expectSameBytes } from './support/expectations.ts';
import { given } from './support/inputs.ts';

const givenCart = async (changes?: Record<string, unknown>): Promise<ApiResponse> => {
  const created = await createCart(cartBody(changes));
  expectResponse(created, 201);
  return created;
};

describe('a retrieved cart', () => {
  it('is answered with 200: what its creation answered, its meta, its price and its expiry', async () => {
    const meta = { order: 'A-1', empty: '', constructor: 'x', 'Zoë 🎈': '\u202e' };
    const created = await givenCart({ meta });

    const answer = await getCart(cartIdOf(created));

    expectResponse(answer, 200);
    expect(answer.body).toStrictEqual({
      ...(created.body['cart'] as object),
      meta,
      price: { amount: expect.any(Number), currency: expect.stringMatching(/^[A-Z]{3}$/) },
      expiresAt: expect.stringMatching(DATE_TIME),
    });
  });

  it('expires so many minutes after its creation', async () => {
    const { body } = await getCart(cartIdOf(await givenCart()));

    const waitsMs = Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']));
    expect(waitsMs / 60_000).toBe(inputs.cartExpiryMinutes);
  });

  it('has an empty meta where none was given, and no payment', async () => {
    const { body } = await getCart(cartIdOf(await givenCart()));

    expect(body['meta']).toStrictEqual({});
    expect(body).not.toHaveProperty('paymentId');
    expect(body).not.toHaveProperty('latePayment');
  });

  it('is found right after its creation, each time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const created = await createCart(cartBody());
      expect((await getCart(cartIdOf(created))).body).toHaveProperty('id', cartIdOf(created));
    }
  });

  it('is the same each time', async () => {
    const id = cartIdOf(await givenCart());

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

describe('an id that is no cart of the store is refused with 404', () => {
  it('in the same bytes whether no cart has it or it is malformed', async () => {
    const answers = [await getCart(randomUUID())];
    for (const id of MALFORMED_IDS) answers.push(await getCart(id));

    for (const answer of answers) expectRejection(answer, 'cartNotFound');
    expectSameBytes(answers);
  });

  for (const apiKey of given(inputs.otherApiKey)) {
    it("in the same bytes if the cart is another store's", async () => {
      const id = cartIdOf(await givenCart());
      const answer = await getCart(id, { apiKey });

      expectRejection(answer, 'cartNotFound');
      expectSameBytes([answer, await getCart(randomUUID(), { apiKey })]);
      expectResponse(await getCart(id), 200);
    });
  }
});
