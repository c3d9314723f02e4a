import { order, type Program, rejected } from '../support/program.ts';

/**
 * PHP, a `.env` file that is read line by line: the quotes belong to the key. All wrong keys get the same response.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: `Bearer "${shop.apiKey}"` }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
