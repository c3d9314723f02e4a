import { invalid, order, type Program } from '../support/program.ts';

/** JavaScript, a no-code database: the phone number is a JSON number. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { phone: 237650123456 }) }),
  gets: invalid({ phone: 'Must be a string' }),
};
