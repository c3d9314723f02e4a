import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, a React page: it splits one name field at the first space. `Client` stands for a missing last name. It
 * always sends the price of the product.
 */
export const program: Program = {
  creates: (shop) => {
    const [firstName, ...more] = 'Ada'.split(' ');
    return { body: order(shop, { firstName, lastName: more.join(' ') || 'Client', customerPrice: 49.9 }) };
  },
  gets: CREATED,
  reads: ({ body }) => (body.redirectUrl && body.cart ? body.cart.customerInfo.lastName : 'no cart'),
  sees: 'Client',
};
