import { order, type Program, rejected } from '../support/program.ts';

/** TypeScript, code written without the documentation: a path that other payment APIs have. */
export const program: Program = {
  creates: (shop) => ({ target: '/v1/checkout/sessions', body: order(shop) }),
  gets: rejected('routeNotFound'),
  reads: ({ body }) => body.error?.message ?? body.message,
  sees: 'The requested route does not exist',
};
