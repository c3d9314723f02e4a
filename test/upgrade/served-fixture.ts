import { expect, test } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { type ApiRequest, type ApiResponse, cartBody } from '../support/service.ts';
import { type UpgradeFixture, withSortedMeta } from './fixtures.ts';

/** The part of a service or stage that these tests use. */
interface Served {
  getCart(cartId: string, options: ApiRequest): Promise<ApiResponse>;
  createCart(body: string, options: ApiRequest): Promise<ApiResponse>;
}

const UNKNOWN_CART = '3268a0ca-a685-4cf5-becc-6176c4a0cf91';

/** Uses a key. */
export const use = (served: Served, apiKey: string): Promise<ApiResponse> =>
  served.getCart(UNKNOWN_CART, { apiKey });

/**
 * Adds the tests that hold for every release.
 *
 * @param served the current code on the data of the fixture, at the time when that was made
 */
export const testServed = ({ keys, carts }: UpgradeFixture, served: () => Served): void => {
  test('keys work, and revoked ones do not', async () => {
    for (const apiKey of keys.working) expectError(await use(served(), apiKey), 'cartNotFound');
    for (const apiKey of keys.rejected) expectError(await use(served(), apiKey), 'invalidApiKey');
  });

  test('a bucket that is half empty stays so', async () => {
    const remaining = [];
    for (let taken = 0; taken < 6; taken += 1) {
      const { status, headers } = await use(served(), keys.halfEmpty);
      remaining.push([status, headers['x-ratelimit-remaining']]);
    }
    const passed = ['4', '3', '2', '1', '0'].map((left) => [404, left]);
    expect(remaining).toStrictEqual([...passed, [429, '0']]);
  });

  test.each(carts)('the cart $name is retrieved byte for byte', async ({ id, apiKey, responseText }) => {
    expect((await served().getCart(id, { apiKey })).bodyText).toBe(withSortedMeta(responseText));
  });

  test('products are sold as before', async () => {
    const [apiKey] = keys.working;
    const statusOf = async (id: string) => (await served().createCart(cartBody(id), { apiKey })).status;
    expect([await statusOf('fixed'), await statusOf('free'), await statusOf('unavailable')]).toStrictEqual([
      201, 201, 400,
    ]);
  });
};

/** The status of a cart two days later, if nobody paid: an open cart has expired. */
export const twoDaysLater = (responseText: string): Readonly<Record<string, unknown>> => {
  const before = JSON.parse(responseText) as Record<string, unknown>;
  if (before['status'] !== 'waiting_payment') return before;
  return { ...before, status: 'abandoned', updatedAt: before['expiresAt'] };
};
