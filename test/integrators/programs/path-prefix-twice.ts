import { CHECKOUT } from '../../support/http-client.ts';
import { NO_ROUTE, order, type Program } from '../support/program.ts';

/** Python, a client library: the configured base address ends in `/api/v1`, and each path begins with it. */
export const program: Program = {
  creates: (shop) => ({ target: `/api/v1${CHECKOUT}`, body: order(shop) }),
  gets: NO_ROUTE,
  reads: ({ body }) => body.details[0].message.endsWith('The base address does not include /api/v1.'),
  sees: true,
};
