import { CREATED, order, type Program } from '../support/program.ts';

/** TypeScript, development: the return address is on the developer's machine. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: 'http://127.0.0.1:5173/library' }) }),
  gets: CREATED,
  reads: async (created, { atCheckout }) => (await atCheckout(created, 'leave')).host,
  sees: '127.0.0.1:5173',
};
