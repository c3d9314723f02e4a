import { CREATED, order, type Program } from '../support/program.ts';

/**
 * PHP, code written without the documentation: it looks for a status in every place that it can imagine, in any
 * case.
 */
export const program: Program = {
  creates: (shop) => ({ body: order(shop) }),
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
};
