import { CHECKOUT } from '../../support/http-client.ts';
import { NO_ROUTE, order, type Program } from '../support/program.ts';

/** Python, Django's habit: the path ends with a slash. */
export const program: Program = {
  creates: (shop) => ({ target: `${CHECKOUT}/`, body: order(shop) }),
  gets: NO_ROUTE,
};
