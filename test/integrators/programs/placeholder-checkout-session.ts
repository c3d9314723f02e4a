import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript, a habit of another payment API: `{CHECKOUT_SESSION_ID}`. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, {
      redirectURL: 'https://shop.example/thanks?session_id={CHECKOUT_SESSION_ID}&purchase=7',
    }),
  }),
  gets: invalid({ redirectURL: "Unknown placeholder {CHECKOUT_SESSION_ID}; the cart's id is {CART_ID}" }),
};
