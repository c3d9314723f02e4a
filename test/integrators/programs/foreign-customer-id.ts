import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** Node.js, code for a payment API that stores customers: their id is sent with each order. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { customer: 'customer-77' }) }),
  gets: {
    test: invalid({
      customer: 'Unknown field customer; there is no such field: send email, firstName, lastName and phone',
    }),
    live: CREATED,
  },
};
