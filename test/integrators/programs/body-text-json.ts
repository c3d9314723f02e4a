import { invalid, order, type Program } from '../support/program.ts';

/** C#, an example that many pages repeat: the content type is `text/json`. */
export const program: Program = {
  creates: (shop) => ({ headers: { 'Content-Type': 'text/json' }, body: order(shop) }),
  gets: invalid({ '': 'Content-Type must be application/json' }),
};
