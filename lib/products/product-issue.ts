import type { InvalidField } from '../requests/invalid-field.ts';
import type { Product } from './product.ts';
import type { ProductPage } from './store-products.ts';

/** The most products that {@link productIssue} names. */
export const NAMED_PRODUCTS_MAX = 10;

/**
 * The issue of a product that a store does not sell. It is the same for an unknown product and one of another store.
 *
 * @param own the product, if it is the store's
 * @param page the first products of the store, at most {@link NAMED_PRODUCTS_MAX}
 */
export const productIssue = (own: Product | undefined, { products, hasMore }: ProductPage): InvalidField => {
  const names = products.map(({ id, available }) => (available ? id : `${id} (not available)`));
  const listed = names.length === 0 ? 'none' : names.join(', ') + (hasMore ? ' and more' : '');
  const reason = own ? 'The product is not available' : 'The store has no product with this id';
  return { path: 'productDocumentId', message: `${reason}. Products of the store: ${listed}` };
};
