import { invalid, order, type Program } from '../support/program.ts';

/** Low-code, an automation that sends its list of items: one order in an array. */
export const program: Program = {
  creates: (shop) => ({ body: [order(shop)] }),
  gets: invalid({ '': 'Must be a JSON object' }),
};
