import { CREATED, order, type Program } from '../support/program.ts';

/** PHP, two headers confused: `Content-Encoding: utf-8` on a body that is not compressed. */
export const program: Program = {
  creates: (shop) => ({ headers: { 'Content-Encoding': 'utf-8' }, body: order(shop) }),
  gets: CREATED,
};
