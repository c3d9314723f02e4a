import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript, a form with a mask: an international number with spaces. It comes back as it was sent. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { phone: '+237 6 50 12 34 56' }) }),
  gets: CREATED,
  reads: ({ body }) => body.cart.customerInfo.phone,
  sees: '+237 6 50 12 34 56',
};
