import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript: the whole buyer in `meta`, and a value that is `null`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { meta: { buyer: { id: '7' }, items: ['a'], coupon: null } }) }),
  gets: invalid({
    'meta.buyer': 'Must be a string',
    'meta.items': 'Must be a string',
    'meta.coupon': 'Must be a string',
  }),
};
