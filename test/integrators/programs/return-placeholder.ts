import { CREATED, order, type Program } from '../support/program.ts';

/** TypeScript: the documented placeholder, in the path of the return address. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: 'https://shop.example/orders/{CART_ID}/thanks' }) }),
  gets: CREATED,
  reads: async (created, { atCheckout }) =>
    (await atCheckout(created, 'pay')).href === `https://shop.example/orders/${created.body.cart.id}/thanks`,
  sees: true,
};
