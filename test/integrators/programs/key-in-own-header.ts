import { order, type Program, rejected } from '../support/program.ts';

/** C#, a habit of other APIs: the key is in `X-Api-Key`. All wrong keys get the same response. */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: undefined, 'X-Api-Key': shop.apiKey }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
