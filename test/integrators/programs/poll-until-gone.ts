import { CREATED, order, type Program } from '../support/program.ts';

/**
 * Python, a nightly job: a cart of another store or mode counts as lost. `raise_for_status` is not called.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: async (_, { retrieve }) => {
    const { status, body } = await retrieve('550e8400-e29b-41d4-a716-446655440000');
    return [status, body.status ?? 'unknown', body.code];
  },
  sees: [404, 'unknown', 'INVALID_PRODUCT'],
};
