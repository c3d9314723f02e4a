import { invalid, order, type Program } from '../support/program.ts';

/** Ruby, a mailer's habit: the address has a display name. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { email: 'Ada Lovelace <ada@example.com>' }) }),
  gets: invalid({ email: 'Must be an e-mail address' }),
};
