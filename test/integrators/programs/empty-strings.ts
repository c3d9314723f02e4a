import { invalid, order, type Program } from '../support/program.ts';

/** TypeScript, a Supabase function: `|| ""` turns each missing form value into an empty text. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { firstName: '', lastName: '', phone: '' }) }),
  gets: invalid({
    firstName: 'Must have 1 to 100 characters',
    lastName: 'Must have 1 to 100 characters',
  }),
  reads: ({ body }) => body.message ?? 'unknown error',
  sees: 'The payload format is invalid',
};
