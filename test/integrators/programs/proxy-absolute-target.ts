import { CHECKOUT } from '../../support/http-client.ts';
import { CREATED, order, type Program } from '../support/program.ts';

/** Java behind a proxy of a company: the request line has the whole address. */
export const program: Program = {
  creates: (shop) => ({ target: `http://${shop.host}${CHECKOUT}`, body: order(shop) }),
  gets: CREATED,
};
