import { order, type Program, rejected } from '../support/program.ts';

/**
 * PHP, a `.env` file that is read line by line: the quotes belong to the key.
 * Every wrong key gets the same response: the message reveals nothing.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: `Bearer "${shop.apiKey}"` }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
