import { cartPath } from '../../support/service/http-client.ts';
import { CREATED, type Programs } from '../support/program.ts';

/** How programs retrieve a cart, and wait for its payment. */
export const programs: Programs = {
  /**
   * PHP, code written without the documentation: it looks for a status in every place that it can imagine, in any
   * case.
   */
  'poll-any-status': {
    gets: CREATED,
    reads: async (created, { retrieve, atCheckout }) => {
      await atCheckout(created, 'pay');
      const { body } = await retrieve(created.body.cart.id);
      const places = [
        body.status,
        body.paymentStatus,
        body.cart?.status,
        body.data?.status,
        body.order?.status,
      ];
      const status = String(places.find((place) => typeof place === 'string'))
        .trim()
        .toLowerCase();
      return ['completed', 'paid', 'success', 'approved'].includes(status);
    },
    sees: true,
  },
  /** Go, a client with a cache: it polls with the `ETag` of the last response. A change is never a 304. */
  'poll-etag': {
    orders: { meta: { b: '2', a: '1', c: '3' } },
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
  },
  /**
   * JavaScript, an app: it retrieves the cart again and again and reads its `status`. Any error counts as "still
   * waiting". Two buyers share a key with the default limits.
   */
  'poll-flat-status': {
    gets: CREATED,
    reads: async (created, { sendOnOneConnection, newKey, retrieve, atCheckout }) => {
      const poll = {
        method: 'GET',
        target: cartPath(created.body.cart.id),
        headers: { Authorization: `Bearer ${await newKey()}` },
      };
      const polls = await sendOnOneConnection(Array.from({ length: 2 * 31 }, () => poll));
      await atCheckout(created, 'pay');
      const paid = await retrieve(created.body.cart.id);
      return [...new Set(polls.map(({ body }) => body.status)), paid.body.status];
    },
    sees: ['waiting_payment', 'completed'],
  },
  /**
   * JavaScript: it reads `cart.status` of the retrieval, as in the response to the creation. The retrieved cart is
   * flat, so the program waits for ever.
   */
  'poll-nested-status': {
    gets: CREATED,
    reads: async (created, { retrieve, atCheckout }) => {
      await atCheckout(created, 'pay');
      const { body } = await retrieve(created.body.cart.id);
      return { created: created.body.cart?.status, retrieved: body.cart?.status };
    },
    sees: { created: 'waiting_payment', retrieved: undefined },
  },
  /** TypeScript, a status of another API: it waits for `PAID`, which never comes. */
  'poll-paid': {
    gets: CREATED,
    reads: async (created, { retrieve, atCheckout }) => {
      await atCheckout(created, 'pay');
      const { body } = await retrieve(created.body.cart.id);
      return body.status === 'PAID' || body.status === 'paid';
    },
    sees: false,
  },
  /**
   * Python, a nightly job: a cart of another store or mode counts as lost. `raise_for_status` is not called.
   */
  'poll-until-gone': {
    gets: CREATED,
    reads: async (_, { retrieve }) => {
      const { status, body } = await retrieve('550e8400-e29b-41d4-a716-446655440000');
      return [status, body.status ?? 'unknown', body.code];
    },
    sees: [404, 'unknown', 'INVALID_PRODUCT'],
  },
  /** JavaScript: the id was stored with `JSON.stringify`, so quotes surround it. */
  'retrieves-quoted-id': {
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => {
      const { status, body: error } = await retrieve(JSON.stringify(body.cart.id));
      return [status, error.message];
    },
    sees: [404, 'The cart does not exist or does not belong to this store'],
  },
  /** JavaScript: the id was read from the wrong place, so the address ends with `undefined`. */
  'retrieves-undefined': {
    gets: CREATED,
    reads: async ({ body }, { retrieve }) => {
      const { status, body: error } = await retrieve(String(body.id));
      return [status, error.code];
    },
    sees: [404, 'INVALID_PRODUCT'],
  },
  /** C#, `Guid.ToString().ToUpper()`: the id is in capitals. */
  'retrieves-upper-case-id': {
    gets: CREATED,
    reads: async ({ body }, { retrieve }) =>
      (await retrieve(body.cart.id.toUpperCase())).body.id === body.cart.id,
    sees: true,
  },
};
