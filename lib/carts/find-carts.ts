import type { Mode } from '../core/mode.ts';
import { batchGet } from '../core/batch-get.ts';
import type { Documents } from '../core/documents.ts';
import { fromRawCart } from './cart-item.ts';
import type { Cart } from './cart.ts';

/** Carts of one mode, by their ids. */
export interface CartsOfMode {
  readonly mode: Mode;
  readonly cartIds: readonly string[];
}

export interface CartReads {
  readonly documents: Documents;
  /** The table of each mode's carts. */
  readonly tables: Readonly<Record<Mode, string>>;
}

/** A stored cart, and the table that has it. */
export interface FoundCart {
  readonly tableName: string;
  readonly cart: Cart;
}

/**
 * Reads the carts of a mode. It looks for missing test carts in the table of live mode too, where an earlier release stored
 * them. Deleted carts are missing in the result.
 *
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const findCarts = async (
  { mode, cartIds }: CartsOfMode,
  { documents, tables }: CartReads,
  signal?: AbortSignal,
): Promise<readonly FoundCart[]> => {
  const readFrom = async (tableName: string, wanted: readonly string[]): Promise<readonly FoundCart[]> => {
    const keys = wanted.map((id) => ({ id: { S: id } }));
    const items = await batchGet(documents, tableName, keys, { signal });
    return items.map((item) => ({ tableName, cart: fromRawCart(item) }));
  };
  const found = await readFrom(tables[mode], cartIds);
  if (mode === 'live') return found;
  const foundIds = new Set(found.map(({ cart }) => cart.id));
  const others = await readFrom(
    tables.live,
    cartIds.filter((id) => !foundIds.has(id)),
  );
  return [...found, ...others.filter(({ cart }) => cart.mode === mode)];
};
