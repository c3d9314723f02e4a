import { CREATED, order, type Program } from '../support/program.ts';

/** Java with Jackson, one class for several payment APIs: what this shop does not use is `null`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { amount: null, price: null, quantity: null, customer: null }) }),
  gets: CREATED,
};
