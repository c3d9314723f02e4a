import { CHECKOUT } from '../../support/http-client.ts';
import { NO_ROUTE, order, type Program } from '../support/program.ts';

/** JavaScript: the configured address of the stage ends with a slash, and the path begins with one. */
export const program: Program = {
  creates: (shop) => ({ target: `/${CHECKOUT}`, body: order(shop) }),
  gets: NO_ROUTE,
};
