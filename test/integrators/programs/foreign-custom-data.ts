import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** PHP, a plug-in of another checkout: the order number is in `customData`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { customData: { order_id: '1001' } }) }),
  gets: {
    test: invalid({ customData: 'Unknown field customData; did you mean meta?' }),
    live: CREATED,
  },
};
