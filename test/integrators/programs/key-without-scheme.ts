import { order, type Program, rejected } from '../support/program.ts';

/**
 * Python: the header has the key alone.
 * Every wrong key gets the same response: the message reveals nothing.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: shop.apiKey }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
