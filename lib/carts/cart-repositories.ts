import type { Clock } from '../core/clock.ts';
import type { Mode } from '../stores/mode.ts';
import type { Documents } from '../core/documents.ts';
import { type CartRepository, createCartRepository } from './cart-repository.ts';

/** The carts of each mode. */
export type CartRepositories = Readonly<Record<Mode, CartRepository>>;

export interface CartTables {
  readonly cartsTable: string;
  readonly testCartsTable: string;
}

/** Carts in DynamoDB, one table for each mode. */
export const createCartRepositories = (
  documents: Documents,
  { cartsTable, testCartsTable }: CartTables,
  now: Clock,
): CartRepositories => ({
  live: createCartRepository(documents, cartsTable, now),
  test: createCartRepository(documents, testCartsTable, now),
});
