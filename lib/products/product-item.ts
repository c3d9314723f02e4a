import type { Item } from '../database/documents.ts';
import { assertFields } from '../database/readable-item.ts';
import type { Product } from './product.ts';

/** The type of each field of a product. */
const FIELDS = Object.entries({
  id: 'string',
  storeId: 'string',
  name: 'string',
  available: 'boolean',
  currency: 'string',
  pricing: 'object',
} satisfies Record<keyof Product, string>);

/**
 * The product of a stored item. It does not validate more than the types: that would slow every request.
 *
 * @throws UnreadableItemError if a field is missing or has another type, for example after an edit by hand
 */
export const fromProductItem = (item: Item): Product => {
  assertFields('product', item, FIELDS);
  return item as unknown as Product;
};
