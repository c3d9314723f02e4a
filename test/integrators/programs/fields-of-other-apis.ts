import { CREATED, invalid, order, type Program } from '../support/program.ts';

/**
 * JavaScript, code for another payment API. In live mode, its return address and metadata are lost: test mode names the
 * right fields. It does not look at `price` until then.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, {
      return_url: 'https://shop.example/thanks',
      metadata: { order: 1001 },
      price: 45,
      currency: 'XOF',
    }),
  }),
  gets: {
    test: invalid({
      return_url: 'Unknown field return_url; did you mean redirectURL?',
      metadata: 'Unknown field metadata; did you mean meta?',
    }),
    live: CREATED,
  },
};
