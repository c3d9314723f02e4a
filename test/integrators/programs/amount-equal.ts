import { CREATED, order, type Program } from '../support/program.ts';

/** Python: `customerPrice` is sent for every product. It equals the fixed price. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { customerPrice: 49.9 }) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.price.amount,
  sees: 49.9,
};
