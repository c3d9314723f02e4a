import { CREATED, order, type Program } from '../support/program.ts';

/** C#, `StringContent`: the content type has a charset. */
export const program: Program = {
  creates: (shop) => ({ headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: order(shop) }),
  gets: CREATED,
};
