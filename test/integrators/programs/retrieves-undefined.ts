import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript: the id was read from the wrong place, so the address ends with `undefined`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const { status, body: error } = await retrieve(String(body.id));
    return [status, error.code];
  },
  sees: [404, 'INVALID_PRODUCT'],
};
