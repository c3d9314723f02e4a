import { cartPath } from '../../support/http-client.ts';
import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, an app: it retrieves the cart again and again and reads its `status`. Any error counts as "still
 * waiting". Two buyers share a key with the default limits.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
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
};
