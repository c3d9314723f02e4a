import { CREATED, order, type Program } from '../support/program.ts';

/** PHP: the buyer's `Accept-Language` is passed on as it came. The first tag with a region counts. */
export const program: Program = {
  creates: (shop) => ({ headers: { 'Accept-Language': 'fr,fr-CA;q=0.9,en-US;q=0.8' }, body: order(shop) }),
  gets: CREATED,
  reads: ({ body }) => body.cart.customerInfo.lang,
  sees: 'fr-CA',
};
