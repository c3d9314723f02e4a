import { CREATED, order, type Program } from '../support/program.ts';

/**
 * TypeScript: before it redirects, it compares the cart's price with the order. The response to the creation has it.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: ({ body: { cart } }) => cart.price?.amount === 49.9 && cart.price.currency === 'EUR',
  sees: true,
};
