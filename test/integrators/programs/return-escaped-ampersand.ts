import { CREATED, order, type Program } from '../support/program.ts';

/**
 * PHP, WordPress: `esc_url` wrote `&#038;` into the address. It begins the fragment, so the page does not find `key`
 * in the query.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/received/12/?utm=mail&#038;key=wc_order_1' }),
  }),
  gets: CREATED,
  reads: async (created, { atCheckout }) => {
    const { searchParams, hash } = await atCheckout(created, 'pay');
    return [searchParams.get('utm'), searchParams.get('status'), hash];
  },
  sees: ['mail', 'completed', '#038;key=wc_order_1'],
};
