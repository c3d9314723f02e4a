import { invalid, order, type Program } from '../support/program.ts';

/** PHP, a list instead of a map: `["1001", "web"]`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { meta: ['1001', 'web'] }) }),
  gets: invalid({ meta: 'Must be an object' }),
};
