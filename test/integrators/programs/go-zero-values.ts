import { invalid, order, type Program } from '../support/program.ts';

/** Go, a struct without `omitempty`: absent values are `""`, `0` and `null`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { phone: '', redirectURL: '', customerPrice: 0, meta: null }) }),
  gets: invalid({
    redirectURL: 'Omit it or send an address',
    customerPrice: 'Must be above 0',
  }),
};
