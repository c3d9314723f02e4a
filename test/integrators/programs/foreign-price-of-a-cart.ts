import { CREATED, order, type Program } from '../support/program.ts';

/** TypeScript, code that sends the `price` of an earlier cart back. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { price: { amount: 49.9, currency: 'EUR' } }) }),
  gets: CREATED,
};
