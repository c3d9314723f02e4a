import { invalid, order, type Program } from '../support/program.ts';

/** PHP: the product's id is a number of the shop's own database. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { productDocumentId: 42 }) }),
  gets: invalid({ productDocumentId: 'Must be a string' }),
};
