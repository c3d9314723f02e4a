import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript, a staging site with a password: it is in the address. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { redirectURL: 'https://staging:secret@shop.example/thanks' }) }),
  gets: invalid({ redirectURL: /user ?name|password|userinfo/i }),
};
