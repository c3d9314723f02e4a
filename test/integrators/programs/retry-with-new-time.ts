import { CREATED, order, type Program } from '../support/program.ts';

/** JavaScript: `meta` has the time of the attempt, so a retry with the same key is another request. */
export const program: Program = {
  creates: (shop) => ({
    headers: { 'Idempotency-Key': 'order-1002' },
    body: order(shop, { meta: { sentAt: '2026-11-20T15:00:00Z' } }),
  }),
  gets: CREATED,
  reads: async (_, shop) => {
    const again = await shop.send({
      headers: { 'Idempotency-Key': 'order-1002' },
      body: order(shop, { meta: { sentAt: '2026-11-20T15:00:05Z' } }),
    });
    return again.body.code;
  },
  sees: 'IDEMPOTENCY_KEY_REUSED',
};
