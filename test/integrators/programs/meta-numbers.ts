import { invalid, order, type Program } from '../support/program.ts';

/** TypeScript, a Next.js route: amounts and ids in `meta` are numbers, and a flag is a boolean. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { meta: { tier: 'PRO', duration: 30, discount: 0.5, trial: false } }),
  }),
  gets: invalid({
    'meta.duration': 'Must be a string: send "30", not 30',
    'meta.discount': 'Must be a string: send "0.5", not 0.5',
    'meta.trial': 'Must be a string: send "false", not false',
  }),
};
