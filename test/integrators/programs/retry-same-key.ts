import { CREATED, order, type Program } from '../support/program.ts';

/**
 * TypeScript: the first response is lost, so the request is sent again with the same `Idempotency-Key`. The code
 * checks the id by a pattern for UUIDs of any version.
 */
export const program: Program = {
  creates: (shop) => ({ headers: { 'Idempotency-Key': 'order-1001-attempt-1' }, body: order(shop) }),
  gets: CREATED,
  reads: async ({ body }, shop) => {
    const again = await shop.send({
      headers: { 'idempotency-key': 'order-1001-attempt-1' },
      body: order(shop),
    });
    return {
      isSameCart: again.body.cart.id === body.cart.id,
      isReplayed: again.headers['idempotent-replayed'],
      isUuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(body.cart.id),
    };
  },
  sees: { isSameCart: true, isReplayed: 'true', isUuid: true },
};
