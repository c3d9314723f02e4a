import { order, type Program, rejected } from '../support/program.ts';

/**
 * Java, `setBasicAuth`: the key is the user name of basic authentication. All wrong keys get the same response.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { Authorization: `Basic ${btoa(`${shop.apiKey}:`)}` }, body: order(shop) }),
  gets: rejected('invalidApiKey'),
};
