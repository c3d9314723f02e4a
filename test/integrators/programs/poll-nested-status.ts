import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript: it reads `cart.status` of the retrieval, as in the response to the creation. The retrieved cart is
 * flat, so the program waits for ever.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async (created, { retrieve, atCheckout }) => {
    await atCheckout(created, 'pay');
    const { body } = await retrieve(created.body.cart.id);
    return { created: created.body.cart?.status, retrieved: body.cart?.status };
  },
  sees: { created: 'waiting_payment', retrieved: undefined },
};
