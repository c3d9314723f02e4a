import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript, jQuery: `JSON.stringify` runs twice, so the body is a JSON text. */
export const program: Program = {
  creates: (shop) => ({ body: JSON.stringify(JSON.stringify(order(shop))) }),
  gets: invalid({ '': 'Must be a JSON object' }),
};
