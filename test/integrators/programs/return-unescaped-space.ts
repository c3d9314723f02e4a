import { invalid, order, type Program } from '../support/program.ts';

/** PHP: the buyer's name is in the query of the return address, without `urlencode`. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/thanks?name=Ada Lovelace' }),
  }),
  gets: invalid({ redirectURL: /white ?space/i }),
};
