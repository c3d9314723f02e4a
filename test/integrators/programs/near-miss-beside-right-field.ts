import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript, code that tried every spelling: the right field is there too, so the others do no harm. */
export const program: Program = {
  creates: (shop) => {
    const address = 'https://shop.example/thanks';
    return { body: order(shop, { redirectURL: address, redirectUrl: address, redirect_url: address }) };
  },
  gets: CREATED,
  reads: async (created, { atCheckout }) => (await atCheckout(created, 'pay')).pathname,
  sees: '/thanks',
};
