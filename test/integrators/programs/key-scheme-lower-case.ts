import { CREATED, order, type Program } from '../support/program.ts';

/** Rust, a hand-written header: the scheme is `bearer`. */
export const program: Program = {
  creates: (shop) => ({ headers: { authorization: `bearer ${shop.apiKey}` }, body: order(shop) }),
  gets: CREATED,
};
