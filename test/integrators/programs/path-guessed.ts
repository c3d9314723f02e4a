import { NO_ROUTE, order, type Program } from '../support/program.ts';

/** TypeScript, code written without the documentation: a path that other payment APIs have. */
export const program: Program = {
  creates: (shop) => ({ target: '/v1/checkout/sessions', body: order(shop) }),
  gets: NO_ROUTE,
  reads: ({ body }) => body.error?.message ?? body.message,
  sees: 'The requested route does not exist',
};
