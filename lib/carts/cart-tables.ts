import type { Mode } from '../stores/mode.ts';

/** The settings with the names of the tables of carts. */
export interface CartTables {
  readonly cartsTable: string;
  readonly testCartsTable: string;
}

/** The table of the carts of each mode. */
export const cartTableOf = ({ cartsTable, testCartsTable }: CartTables): Readonly<Record<Mode, string>> => ({
  live: cartsTable,
  test: testCartsTable,
});
