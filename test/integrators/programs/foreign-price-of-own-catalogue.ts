import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** Python, a shop whose own catalogue has an older price: the buyer would pay another one. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { price: 45 }) }),
  gets: {
    test: invalid({ price: 'Unknown field price; the price of the product is fixed: omit the field' }),
    live: CREATED,
  },
};
