import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, a game server: a nickname without a space becomes first and last name. The code looks for the amount
 * in several fields of the cart, and otherwise records its own catalogue price.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { firstName: ' Ada ', lastName: 'Ada', meta: { userId: '7' } }) }),
  gets: CREATED,
  reads: ({ body: { cart, total } }) =>
    [cart.total, cart.amount, cart.price, total].map(Number).find((amount) => amount > 0) ?? 1000,
  sees: 1000,
};
