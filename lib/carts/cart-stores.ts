import type { Documents } from '../core/documents.ts';
import type { Mode } from '../core/mode.ts';
import { type CartStore, createCartStore } from './cart-store.ts';

/** The carts of each mode. */
export type CartStores = Readonly<Record<Mode, CartStore>>;

export interface CartTables {
  readonly cartsTable: string;
  readonly testCartsTable: string;
}

/**
 * Carts in DynamoDB, one table for each mode. An earlier release stored the carts of both modes in the table of live
 * mode. If the table of test mode does not have a cart, a second read therefore looks there. `find` does not: it serves
 * retries, and no cart of an earlier release has their ids.
 */
export const createCartStores = (
  documents: Documents,
  { cartsTable, testCartsTable }: CartTables,
): CartStores => {
  const live = createCartStore(documents, cartsTable);
  const test = createCartStore(documents, testCartsTable);
  return {
    live,
    test: {
      ...test,
      read: async (cartId, signal) => (await test.read(cartId, signal)) ?? live.read(cartId, signal),
    },
  };
};
