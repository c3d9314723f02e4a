import { CREATED, order, type Program } from '../support/program.ts';

/**
 * Java, Jackson with its defaults: it writes the fields of the whole class, with `null` for those that are not set.
 */
export const program: Program = {
  creates: (shop) => ({
    headers: { Accept: 'application/json, application/*+json' },
    body: order(shop, { id: null, currency: null, phone: null, redirectURL: null, status: null, meta: null }),
  }),
  gets: CREATED,
};
