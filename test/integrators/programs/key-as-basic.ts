import { order, type Program, rejected } from '../support/program.ts';

/**
 * Java, `setBasicAuth`: the key is the user name of basic authentication.
 * Every wrong key gets the same response: the message reveals nothing.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: `Basic ${btoa(`${shop.apiKey}:`)}` }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
