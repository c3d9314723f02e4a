import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** JavaScript, code for another payment API: `amount` is in cents. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { amount: 4_990, currency: 'eur' }) }),
  gets: {
    test: invalid({ amount: 'Unknown field amount; the price of the product is fixed: omit the field' }),
    live: CREATED,
  },
};
