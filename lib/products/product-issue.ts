import type { InvalidField } from '../requests/invalid-field.ts';
import type { Mode } from '../stores/mode.ts';
import type { ProductPage, ProductRepository } from './product-repository.ts';
import type { Product } from './product.ts';

/** The most products that {@link productIssue} names. */
const NAMED_PRODUCTS_MAX = 10;

/**
 * The issue of a product that a store does not sell. It is the same for an unknown product and one of another store.
 *
 * @param own the product, if it is the store's
 * @param page the first products of the store, at most {@link NAMED_PRODUCTS_MAX}
 */
const productIssue = (own: Product | undefined, { products, hasMore }: ProductPage): InvalidField => {
  const names = products.map(({ id, available }) => (available ? id : `${id} (not available)`));
  const listed = names.length === 0 ? 'none' : names.join(', ') + (hasMore ? ' and more' : '');
  const reason = own ? 'The product is not available' : 'The store has no product with this id';
  return { path: 'productDocumentId', message: `${reason}. Products of the store: ${listed}` };
};

/**
 * In test mode, the issue of a product that a store does not sell. It reads the store's products by one Query: the usual ones
 * cost half a read unit, and the largest ones two. `undefined` in live mode, without a call.
 *
 * @param product the product that was asked for. It may belong to another store
 * @throws when DynamoDB is slow, throttles or is down
 */
export const testModeProductIssues = async (
  { mode, storeId }: { readonly mode: Mode; readonly storeId: string },
  product: Product | undefined,
  products: Pick<ProductRepository, 'list'>,
  signal: AbortSignal,
): Promise<readonly InvalidField[] | undefined> => {
  if (mode === 'live') return undefined;
  const page = await products.list(storeId, { limit: NAMED_PRODUCTS_MAX }, signal);
  return [productIssue(product?.storeId === storeId ? product : undefined, page)];
};
