import { CREATED, order, type Program } from '../support/program.ts';

/** TypeScript, a status of another API: it waits for `PAID`, which never comes. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async (created, { retrieve, atCheckout }) => {
    await atCheckout(created, 'pay');
    const { body } = await retrieve(created.body.cart.id);
    return body.status === 'PAID' || body.status === 'paid';
  },
  sees: false,
};
