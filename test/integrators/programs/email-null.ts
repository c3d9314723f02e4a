import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript, Firebase: users who signed in by phone have no e-mail address. The code sends `null`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { email: null }) }),
  gets: invalid({ email: /./ }),
};
