import { invalid, order, type Program } from '../support/program.ts';

/**
 * TypeScript, code for a framework whose `message` is a list of constraints: here it is always a text, and `details`
 * has the fields.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { email: undefined }) }),
  gets: invalid({ email: 'email is required' }),
  reads: ({ body }) => (Array.isArray(body.message) ? body.message.join(', ') : (body.message ?? body.error)),
  sees: 'The payload format is invalid',
};
