import { CREATED, order, type Program } from '../support/program.ts';

/** PHP, a form: mobile keyboards add a space after the address. The case of the address stays. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { email: 'Ada@Example.com ' }) }),
  gets: CREATED,
  reads: ({ body }) => body.cart.customerInfo.email,
  sees: 'Ada@Example.com',
};
