import { invalid, order, type Program } from '../support/program.ts';

/** TypeScript, a wrapper with French names for the fields: `prenom` and `nom`. */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { firstName: undefined, lastName: undefined, prenom: 'Ada', nom: 'Lovelace' }),
  }),
  gets: invalid({ firstName: 'firstName is required', lastName: 'lastName is required' }),
};
