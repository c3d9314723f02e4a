import { invalid, order, type Program } from '../support/program.ts';

/** PHP, Laravel's cast `decimal:2`: the amount is a text. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { productDocumentId: shop.donation, customerPrice: '12.00' }) }),
  gets: invalid({ customerPrice: 'Must be a number, not a string' }),
};
