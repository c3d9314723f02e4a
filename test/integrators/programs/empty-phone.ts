import { CREATED, order, type Program } from '../support/program.ts';

/**
 * JavaScript, an Expo app: the field `phone` is always sent, and usually empty. The price is rounded, because the
 * platform's own currency has no decimals.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, {
      productDocumentId: shop.donation,
      phone: '',
      customerPrice: Math.round(Number('12')),
    }),
  }),
  gets: CREATED,
  reads: async ({ body }, { retrieve }) => {
    const { customerInfo, price } = (await retrieve(body.cart.id)).body;
    return { hasPhone: 'phone' in customerInfo, price };
  },
  sees: { hasPhone: false, price: { amount: 12, currency: 'EUR' } },
};
