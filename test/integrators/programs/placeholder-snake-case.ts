import { invalid, order, type Program } from '../support/program.ts';

/** PHP, a guess: `{cart_id}`. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/thanks?session_id={cart_id}&purchase=7' }),
  }),
  gets: invalid({ redirectURL: "Unknown placeholder {cart_id}; the cart's id is {CART_ID}" }),
};
