import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, code for another payment API: `return_url`, `metadata`, `price` and `currency` are unknown here, and
 * ignored.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, {
      return_url: 'https://shop.example/thanks',
      metadata: { order: 1001 },
      price: 45,
      currency: 'XOF',
    }),
  }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const { price, meta } = (await retrieve(body.cart.id)).body;
    return { price, meta };
  },
  sees: { price: { amount: 49.9, currency: 'EUR' }, meta: {} },
};
