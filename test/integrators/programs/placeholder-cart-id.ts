import { invalid, order, type Program } from '../support/program.ts';

/** TypeScript, a guess: `{cartId}`, the name of the field. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/thanks?session_id={cartId}&purchase=7' }),
  }),
  gets: invalid({ redirectURL: "Unknown placeholder {cartId}; the cart's id is {CART_ID}" }),
};
