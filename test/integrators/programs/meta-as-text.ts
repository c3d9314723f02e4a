import { invalid, order, type Program } from '../support/program.ts';

/** TypeScript, code for an API whose metadata is one text: `meta` is a JSON text. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { meta: JSON.stringify({ order: '1001' }) }) }),
  gets: invalid({ meta: 'Must be an object' }),
};
