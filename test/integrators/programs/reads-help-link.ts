import { invalid, order, type Program } from '../support/program.ts';

/** TypeScript: a failed request prints the address of its help page, from the header `Link`. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { email: undefined }) }),
  gets: invalid({ email: 'email is required' }),
  reads: ({ headers }) => /<https?:[^>]+\/errors(#[A-Z_]+)>; *rel="?help"?/.exec(headers['link'] ?? '')?.[1],
  sees: '#VALIDATION_ERROR',
};
