import { CREATED, order, type Program } from '../support/program.ts';

/** PHP: the key is in `X-Idempotency-Key`, which is unknown. Each attempt makes a cart. */
export const program: Program = {
  creates: (shop) => ({ headers: { 'X-Idempotency-Key': 'order-1003' }, body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, shop) => {
    const again = await shop.send({ headers: { 'X-Idempotency-Key': 'order-1003' }, body: order(shop) });
    return again.body.cart.id === body.cart.id;
  },
  sees: false,
};
