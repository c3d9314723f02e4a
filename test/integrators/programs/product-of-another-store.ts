import { order, type Program, rejected } from '../support/program.ts';

/** JavaScript: the product's id was copied from the dashboard of another shop. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { productDocumentId: shop.foreignProduct }) }),
  gets: rejected('invalidProduct'),
  reads: ({ body }) => `${body.code}: ${body.message}`,
  sees: 'INVALID_PRODUCT: The product is not available or does not belong to this store',
};
