import { order, type Program, rejected } from '../support/program.ts';

/** JavaScript: the configured key already begins with `Bearer`. All wrong keys get the same response. */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: `Bearer Bearer ${shop.apiKey}` }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
