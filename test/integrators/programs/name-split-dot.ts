import { CREATED, order, type Program } from '../support/program.ts';

/**
 * PHP, a Laravel service: `.` stands for a missing last name. The phone number is in its local form, with spaces.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { lastName: '.', phone: '06 50 12 34 56' }) }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => (await retrieve(body.cart.id)).body.customerInfo,
  sees: { firstName: 'Ada', lastName: '.', email: 'ada@example.com', phone: '06 50 12 34 56' },
};
