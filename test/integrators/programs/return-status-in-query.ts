import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, a React page: the return address already has `?status=success`. The page reads `status` once. After a
 * decline it must not read `success`.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/events/2/tickets?status=success&seat=4%20B' }),
  }),
  gets: CREATED,
  reads: async (created, { atCheckout }) => {
    const { search, searchParams } = await atCheckout(created, 'decline');
    return {
      status: searchParams.get('status'),
      statuses: searchParams.getAll('status').length,
      isCart: searchParams.get('cartId') === created.body.cart.id,
      keepsSeat: search.includes('seat=4%20B'),
    };
  },
  sees: { status: 'payment_failed', statuses: 1, isCart: true, keepsSeat: true },
};
