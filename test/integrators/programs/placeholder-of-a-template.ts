import { invalid, order, type Program } from '../support/program.ts';

/** Low-code, an automation whose template was not filled in: `{{order}}` reaches the API. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: 'https://shop.example/thanks?order={{order}}' }) }),
  gets: invalid({ redirectURL: /placeholder/i }),
};
