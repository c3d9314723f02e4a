import { CREATED, order, type Program } from '../support/program.ts';

/**
 * TypeScript, an edge function: it expects `id` and `url` at the top of the response, and stores `undefined`.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
  gets: CREATED,
  reads: ({ body }) => ({ cartId: body.id, url: body.url ?? body.payment_url ?? body.checkout_url }),
  sees: { cartId: undefined, url: undefined },
};
