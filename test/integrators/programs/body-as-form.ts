import { invalid, order, type Program } from '../support/program.ts';

/** PHP, `http_build_query`, as in Dart a map as the body: the fields are a form. */
export const program: Program = {
  creates: (shop) => ({
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...order(shop) }).toString(),
  }),
  gets: invalid({ '': 'Content-Type must be application/json' }),
};
