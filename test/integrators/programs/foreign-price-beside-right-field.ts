import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript, a donation: `price` is the suggested amount, and the buyer chose another one. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { productDocumentId: shop.donation, price: 5, customerPrice: 12.5 }),
  }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.price.amount,
  sees: 12.5,
};
