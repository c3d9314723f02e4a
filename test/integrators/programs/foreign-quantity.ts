import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** C#, a shop that sells several pieces at once: the buyer would pay for one. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { quantity: 3 }) }),
  gets: {
    test: invalid({
      quantity: 'Unknown field quantity; there is no such field: a cart is for one unit of one product',
    }),
    live: CREATED,
  },
};
