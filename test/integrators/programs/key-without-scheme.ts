import { order, type Program, rejected } from '../support/program.ts';

/** Python: the header has the key alone. All wrong keys get the same response. */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: shop.apiKey }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
