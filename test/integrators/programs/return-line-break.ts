import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript: the address comes from a secret of the environment that ends with a line break. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: 'https://shop.example/thanks\n' }) }),
  gets: invalid({ redirectURL: /line break|white ?space/i }),
};
