import { CREATED, order, type Program } from '../support/program.ts';

/** C#, `Guid.ToString().ToUpper()`: the id is in capitals. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) =>
    (await retrieve(body.cart.id.toUpperCase())).body.id === body.cart.id,
  sees: true,
};
