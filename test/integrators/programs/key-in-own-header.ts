import { order, type Program, rejected } from '../support/program.ts';

/**
 * C#, a habit of other APIs: the key is in `X-Api-Key`.
 * Every wrong key gets the same response: the message reveals nothing.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: undefined, 'X-Api-Key': shop.apiKey }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
