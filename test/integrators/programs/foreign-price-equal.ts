import { CREATED, order, type Program } from '../support/program.ts';

/** PHP, a shop that sends its whole line item: the price is text, one piece. Nothing is lost. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { price: '49.90', amount: 49.9, quantity: 1 }) }),
  gets: CREATED,
};
