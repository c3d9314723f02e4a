import { describe, expect, it } from 'vitest';
import {
  type ApiResponse,
  bodyWith,
  cartBody,
  cartIdOf,
  createCart,
  getCart,
  inputs,
} from './support/client.ts';
import { expectResponse, expectInvalid } from './support/expectations.ts';
import { given } from './support/inputs.ts';

/** ISO 4217: the decimals of an amount. For other currencies, the suite assumes between 0 and 4. */
const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, GBP: 2, CHF: 2, JPY: 0, KWD: 3 };

/** Above the minimum of any test product, and payable in any currency. */
const AMOUNT = 5_000;

/** The price in the response to the creation, which retrieval repeats. */
const priceOf = async (created: ApiResponse): Promise<{ amount: number; currency: string }> => {
  expectResponse(created, 201);
  const { price } = created.body['cart'] as { price: { amount: number; currency: string } };
  expect((await getCart(cartIdOf(created))).body['price']).toStrictEqual(price);
  return price;
};

/** Allows both: the suite does not know whether the product has a suggested price. */
const expectPricedOrRejected = async (response: ApiResponse): Promise<void> => {
  if (response.status === 422) expect(expectInvalid(response)).toStrictEqual(['customerPrice']);
  else expect((await priceOf(response)).amount).toBeGreaterThan(0);
};

for (const productDocumentId of given(inputs.freeProductId)) {
  const createWith = (customerPrice: number): Promise<ApiResponse> =>
    createCart(cartBody({ productDocumentId, customerPrice }));

  describe('a price that the buyer chooses', () => {
    it("is the cart's price", async () => {
      expect(await priceOf(await createWith(AMOUNT))).toStrictEqual({
        amount: AMOUNT,
        currency: expect.stringMatching(/^[A-Z]{3}$/),
      });
    });

    it('may have as many decimals as the currency has, and no more', async () => {
      const { currency } = await priceOf(await createWith(AMOUNT));
      const decimals = DECIMALS[currency];
      const smallest = 10 ** -(decimals ?? 0);
      const tooSmall = 10 ** -((decimals ?? 4) + 1);

      expect((await priceOf(await createWith(AMOUNT + smallest))).amount).toBe(AMOUNT + smallest);
      expect(expectInvalid(await createWith(AMOUNT + tooSmall))).toStrictEqual(['customerPrice']);
    });

    const AMOUNTS = '0 -0 -1 1e400 -1e400 1e21 1000000000000000 1e-7 "5000" true';
    it.each(AMOUNTS.split(' '))('is rejected with 422: %s', async (number) => {
      const body = bodyWith(`"customerPrice":${number}`, { productDocumentId });

      expect(expectInvalid(await createCart(body))).toStrictEqual(['customerPrice']);
    });
  });

  it.each([undefined, null])(
    'without a price, the suggested price applies, or the request is rejected: %s',
    async (customerPrice) => {
      await expectPricedOrRejected(await createCart(cartBody({ productDocumentId, customerPrice })));
    },
  );
}

it('a fixed-price product has its own price', async () => {
  const price = await priceOf(await createCart(cartBody()));

  expect(price).toStrictEqual({ amount: expect.any(Number), currency: expect.stringMatching(/^[A-Z]{3}$/) });
  expect(price.amount).toBeGreaterThan(0);
  expect(await priceOf(await createCart(cartBody({ customerPrice: price.amount })))).toStrictEqual(price);
  const other = await createCart(cartBody({ customerPrice: price.amount + 1 }));
  expect(expectInvalid(other)).toStrictEqual(['customerPrice']);
});
