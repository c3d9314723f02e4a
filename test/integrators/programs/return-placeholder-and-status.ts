import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, a habit of other payment APIs: the address has the placeholder, and `status=success`, which the page
 * reads.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/return?cart={CART_ID}&status=success' }),
  }),
  gets: CREATED,
  reads: async (created, { atCheckout }) => {
    const { searchParams } = await atCheckout(created, 'decline');
    return [searchParams.get('cart') === created.body.cart.id, searchParams.getAll('status')];
  },
  sees: [true, ['payment_failed']],
};
