import { CREATED, invalidInTest, order, type Programs } from '../support/program.ts';

/** How programs retry. */
export const programs: Programs = {
  /**
   * TypeScript: the first response is lost, so the request is sent again with the same `Idempotency-Key`. The code
   * checks the id by a pattern for UUIDs of any version.
   */
  'retry-same-key': {
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
  },
  /** JavaScript: `meta` has the time of the attempt, so a retry with the same key is another request. */
  'retry-with-new-time': {
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
  },
  /** Python, a key from a column of fixed width: spaces at its end are no part of it, so a retry without them is the same. */
  'retry-without-spaces': {
    creates: (shop) => ({ headers: { 'Idempotency-Key': 'order-1005   ' }, body: order(shop) }),
    gets: CREATED,
    reads: async ({ body }, shop) => {
      const again = await shop.send({ headers: { 'Idempotency-Key': 'order-1005' }, body: order(shop) });
      return again.body.cart.id === body.cart.id;
    },
    sees: true,
  },
  /** Go, a client and its middleware: each adds a key. */
  'retry-with-two-keys': {
    creates: (shop) => ({
      headers: { 'Idempotency-Key': 'order-1006', 'idempotency-key': 'attempt-1' },
      body: order(shop),
    }),
    gets: invalidInTest({ 'headers.idempotency-key': 'Must be sent once' }),
  },
  /** PHP: the key is in `X-Idempotency-Key`, which is unknown. In live mode, each attempt makes a cart. */
  'retry-with-other-header': {
    creates: (shop) => ({ headers: { 'X-Idempotency-Key': 'order-1003' }, body: order(shop) }),
    gets: invalidInTest({
      'headers.x-idempotency-key': 'Unknown header x-idempotency-key; did you mean idempotency-key?',
    }),
  },
};
