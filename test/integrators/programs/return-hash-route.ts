import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript, a single-page app with routes after `#`: the page reads `location.search`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: 'https://shop.example/app#/orders/1001' }) }),
  gets: CREATED,
  reads: async (created, { atCheckout }) => {
    const { hash, searchParams } = await atCheckout(created, 'pay');
    return { hash, status: searchParams.get('status') };
  },
  sees: { hash: '#/orders/1001', status: 'completed' },
};
