import { CREATED, invalid, order, type Program } from '../support/program.ts';

/** Ruby, code for a hosted payment page: the buyer returns to `success_url`, or cancels at `cancel_url`. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, {
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/cart',
    }),
  }),
  gets: {
    test: invalid({ success_url: 'Unknown field success_url; did you mean redirectURL?' }),
    live: CREATED,
  },
};
