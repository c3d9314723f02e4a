import { CHECKOUT } from '../../support/http-client.ts';
import { order, type Program, rejected } from '../support/program.ts';

/** Python, Django's habit: the path ends with a slash. */
export const program: Program = {
  creates: (shop) => ({ target: `${CHECKOUT}/`, body: order(shop) }),
  gets: rejected('routeNotFound'),
};
