import { CHECKOUT } from '../../support/service/http-client.ts';
import { NO_ROUTE, order, type Programs } from '../support/program.ts';

/** The paths that programs call. */
export const programs: Programs = {
  /** TypeScript, code written without the documentation: a path that other payment APIs have. */
  'path-guessed': {
    creates: (shop) => ({ target: '/v1/checkout/sessions', body: order(shop) }),
    gets: NO_ROUTE,
    reads: ({ body }) => body.error?.message ?? body.message,
    sees: 'The requested route does not exist',
  },
  /** Python, a client library: the configured base address ends in `/api/v1`, and each path begins with it. */
  'path-prefix-twice': {
    creates: (shop) => ({ target: `/api/v1${CHECKOUT}`, body: order(shop) }),
    gets: NO_ROUTE,
    reads: ({ body }) => body.details[0].message.endsWith('The base address does not include /api/v1.'),
    sees: true,
  },
};
