import { type TableKind, tableOutputOf } from '../../tables.ts';
import type { ValueType } from '../command.ts';
import { choice } from '../value-types.ts';

/**
 * The tables that `restore` copies back, and whether `--all` may replace the items that differ. Some items hold revocations,
 * limits and rotations, which no restore undoes. The other tables stay as they are:
 *
 * - `erasures`: a restore would forget erasures.
 * - `events` and `deliveries`: each restored event would be sent again, under a number that readers have passed.
 */
export const MAY_REPLACE = {
  carts: true,
  testCarts: true,
  products: true,
  stores: true,
  apiKeys: false,
  webhookEndpoints: false,
  secrets: false,
} as const satisfies Partial<Record<TableKind, boolean>>;

export type RestorableTable = keyof typeof MAY_REPLACE;

/** Whether a table has carts, and the claims of their payments. */
export const hasCarts = (table: RestorableTable): boolean => table === 'carts' || table === 'testCarts';

const TABLES = Object.keys(MAY_REPLACE) as RestorableTable[];

/** The name of a table in the stack: `carts` has `Carts`. */
export const nameOf = (table: RestorableTable): string => tableOutputOf(table).replace(/Table$/, '');

const NAMES = choice('name', TABLES.map(nameOf));

/** A table by its name in the stack. */
export const TABLE: ValueType<RestorableTable> = {
  ...NAMES,
  parse: (text, nowMs) => {
    NAMES.parse(text, nowMs);
    return TABLES.find((table) => nameOf(table) === text) as RestorableTable;
  },
};
