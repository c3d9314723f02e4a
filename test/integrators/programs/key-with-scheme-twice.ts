import { order, type Program, rejected } from '../support/program.ts';

/**
 * JavaScript: the configured key already begins with `Bearer`.
 * Every wrong key gets the same response: the message reveals nothing.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: `Bearer Bearer ${shop.apiKey}` }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
