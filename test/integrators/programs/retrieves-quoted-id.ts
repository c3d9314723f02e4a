import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript: the id was stored with `JSON.stringify`, so quotes surround it. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const { status, body: error } = await retrieve(JSON.stringify(body.cart.id));
    return [status, error.message];
  },
  sees: [404, 'The cart does not exist or does not belong to this store'],
};
