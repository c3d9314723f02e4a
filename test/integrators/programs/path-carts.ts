import { NO_ROUTE, order, type Program } from '../support/program.ts';

/** Go, code written without the documentation: a cart is created at the collection of carts. */
export const program: Program = {
  creates: (shop) => ({ target: '/api/v1/carts', body: order(shop) }),
  gets: NO_ROUTE,
};
