import type { Clock } from '../core/clock.ts';
import type { Mode } from '../stores/mode.ts';
import type { Documents } from '../core/documents.ts';
import { type CartStore, createCartStore } from './cart-store.ts';

/** The carts of each mode. */
export type CartStores = Readonly<Record<Mode, CartStore>>;

export interface CartTables {
  readonly cartsTable: string;
  readonly testCartsTable: string;
}

/** Carts in DynamoDB, one table for each mode. */
export const createCartStores = (
  documents: Documents,
  { cartsTable, testCartsTable }: CartTables,
  now: Clock,
): CartStores => ({
  live: createCartStore(documents, cartsTable, now),
  test: createCartStore(documents, testCartsTable, now),
});
