import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript, a habit of other payment APIs: the amount is in cents. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { customerPrice: 4_990 }) }),
  gets: invalid({ customerPrice: /49\.9.*4,?990|4,?990.*49\.9/ }),
};
