import { tableOutputOf, type OperatorsTable } from '../../tables.ts';

/**
 * The tables that `restore` copies back, by their names in the stack. The others stay as they are:
 *
 * - `erasures`: a restore would forget erasures.
 * - `events` and `deliveries`: each restored event would be sent again, under a number that readers have passed.
 * - `due`: its work is scheduled again by `carts schedule-expiries` and `buyers schedule-erasures`.
 */
const RESTORABLE = [
  'carts',
  'testCarts',
  'products',
  'stores',
  'apiKeys',
  'webhookEndpoints',
  'webhookSecrets',
] as const satisfies readonly OperatorsTable[];

export type RestorableTable = (typeof RESTORABLE)[number];

/** The name of a table in the stack: `carts` has `Carts`. */
const nameOf = (kind: OperatorsTable): string => tableOutputOf(kind).replace(/Table$/, '');

export const RESTORABLE_NAMES: readonly string[] = RESTORABLE.map(nameOf);

/** The table with one of {@link RESTORABLE_NAMES}. */
export const restorableTableOf = (name: string): RestorableTable => {
  const found = RESTORABLE.find((kind) => nameOf(kind) === name);
  if (!found) throw new TypeError(`${name} cannot be restored`);
  return found;
};

/**
 * Whether `--all` may replace the items of a table that differ. The items of the others hold revocations, limits and
 * rotations, which no restore undoes.
 */
export const MAY_REPLACE: Readonly<Record<RestorableTable, boolean>> = {
  carts: true,
  testCarts: true,
  products: true,
  stores: true,
  apiKeys: false,
  webhookEndpoints: false,
  webhookSecrets: false,
};
