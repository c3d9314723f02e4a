import { CREATED, order, type Program } from '../support/program.ts';

/**
 * PHP: the return address has a reference of the shop as `cartId`, and `status=approved`. The page reads `cartId`,
 * then asks the API about it.
 */
export const program: Program = {
  creates: (shop) => ({
    body: order(shop, { redirectURL: 'https://shop.example/?payment=ok&cartId=pending&status=approved' }),
  }),
  gets: CREATED,
  reads: async (created, { atCheckout, retrieve }) => {
    const { searchParams } = await atCheckout(created, 'pay');
    const cart = await retrieve(searchParams.get('cartId') ?? searchParams.get('cart_id') ?? '');
    return [searchParams.get('payment'), searchParams.getAll('status'), cart.body.status];
  },
  sees: ['ok', ['completed'], 'completed'],
};
