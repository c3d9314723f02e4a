import { CREATED, order, type Program } from '../support/program.ts';

/** Go, a client with a cache: it polls with the `ETag` of the last response. A change is never a 304. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { meta: { b: '2', a: '1', c: '3' } }) }),
  gets: CREATED,
  reads: async (created, { retrieve, atCheckout }) => {
    const { id } = created.body.cart;
    const first = await retrieve(id);
    const seen = { 'If-None-Match': first.headers['etag'] };
    const unchanged = await retrieve(id, seen);
    await atCheckout(created, 'pay');
    const paid = await retrieve(id, seen);
    return [first.status, unchanged.status, unchanged.bodyText, paid.status, paid.body.status];
  },
  sees: [200, 304, '', 200, 'completed'],
};
