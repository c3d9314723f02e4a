import { invalid, order, type Program } from '../support/program.ts';

/** Ruby, Rails: `orders_path` instead of `orders_url`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: '/orders/1001' }) }),
  gets: invalid({ redirectURL: /http/ }),
};
