import { CHECKOUT } from '../../support/http-client.ts';
import { CREATED, order, type Program } from '../support/program.ts';

/** Ruby: options are in the query of the POST. They are ignored. */
export const program: Program = {
  creates: (shop) => ({ target: `${CHECKOUT}?lang=fr&utm_source=mail`, body: order(shop) }),
  gets: CREATED,
  reads: ({ body }) => 'lang' in body.cart.customerInfo,
  sees: false,
};
