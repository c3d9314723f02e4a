import { CREATED, order, type Program } from '../support/program.ts';

/**
 * PHP, typed arguments `?string $phone` and `array $meta`: `null`, and `[]` for an empty map. PHP reads `{}` as an
 * empty array.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { phone: null, meta: [] }) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => Object.keys((await retrieve(body.cart.id)).body.meta).length,
  sees: 0,
};
