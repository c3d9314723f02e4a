import { invalid, order, type Program } from '../support/program.ts';

/**
 * Python, httpx: `name.partition(' ')` leaves the last name empty. `raise_for_status` hides the body from the log.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { lastName: '' }) }),
  gets: invalid({ lastName: 'Must have 1 to 100 characters' }),
  reads: ({ status }) => (status >= 400 ? `HTTPStatusError ${status}` : 'ok'),
  sees: 'HTTPStatusError 422',
};
