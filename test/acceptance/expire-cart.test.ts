import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type ApiResponse,
  call,
  cartBody,
  cartIdOf,
  cartPath,
  createCart,
  getCart,
} from './support/client.ts';
import { expectResponse, expectSameBytes } from './support/expectations.ts';

const expire = (cartId: string): Promise<ApiResponse> => call('POST', `${cartPath(cartId)}/expire`);

it('a cart that waits for payment ends, once, as its retrieval shows it', async () => {
  const id = cartIdOf(await createCart(cartBody()));
  const first = await expire(id);
  expectResponse(first, 200);
  expect(first.body).toMatchObject({ id, status: 'abandoned' });
  expect(first.body).not.toHaveProperty('redirectUrl');
  expectSameBytes([first, await expire(id), await getCart(id)]);
});

it('an unknown cart cannot end', async () => {
  expectResponse(await expire(randomUUID()), 404);
});

it('a cart lives as long as its request says', async () => {
  const { body } = await getCart(cartIdOf(await createCart(cartBody({ expiresInMinutes: 30 }))));
  expect(Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']))).toBe(30 * 60_000);
});
