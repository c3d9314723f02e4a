import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** PHP, the amount in snake case: without the test mode's help, the buyer would pay the suggested price. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { productDocumentId: shop.donation, customer_price: 12 }) }),
  gets: {
    test: invalid({ customer_price: 'Unknown field customer_price; did you mean customerPrice?' }),
    live: CREATED,
  },
};
