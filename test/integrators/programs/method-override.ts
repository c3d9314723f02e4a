import { CREATED, order, type Program } from '../support/program.ts';

/**
 * PHP, a framework that knows only GET and POST: the method is in `X-HTTP-Method-Override`, which is ignored.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { 'X-HTTP-Method-Override': 'PUT' }, body: order(shop) }),
  gets: CREATED,
};
