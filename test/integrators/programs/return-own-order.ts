import { CREATED, order, type Program } from '../support/program.ts';

/** Python, Django: the order's number and the provider's name are in the query of the return address. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/billing/done?order_id=1001&provider=cart' }),
  }),
  gets: CREATED,
  reads: async (created, { atCheckout }) => {
    const { searchParams } = await atCheckout(created, 'pay');
    return [searchParams.get('order_id'), searchParams.get('provider'), searchParams.get('status')];
  },
  sees: ['1001', 'cart', 'completed'],
};
