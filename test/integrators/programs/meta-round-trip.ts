import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, a web shop: it finds its order by `meta`, and compares the id as text. A value that is `undefined` is
 * not sent.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { meta: { orderId: String(1001), source: '', referrer: undefined } }),
  }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const { meta } = (await retrieve(body.cart.id)).body;
    return { isOrder: meta.orderId === String(1001), source: meta.source };
  },
  sees: { isOrder: true, source: '' },
};
