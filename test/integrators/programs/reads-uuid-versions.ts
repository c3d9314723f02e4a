import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript, an older release of a UUID library: it knows the versions 1 to 5. */
export const program: Program = {
  creates: (shop) => ({ headers: { 'Idempotency-Key': 'order-1004' }, body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, shop) => {
    const known = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
    const withoutKey = await shop.send({ body: order(shop) });
    return { withKey: known.test(body.cart.id), withoutKey: known.test(withoutKey.body.cart.id) };
  },
  sees: { withKey: true, withoutKey: true },
};
