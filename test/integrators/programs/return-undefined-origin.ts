import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript: a missing variable of the environment makes the address `undefined/success`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: `${String(undefined)}/success` }) }),
  gets: invalid({ redirectURL: /http/ }),
};
