import type { Mode } from '../core/mode.ts';
import { batchGet } from '../core/batch-get.ts';
import type { Clock } from '../core/clock.ts';
import type { Documents } from '../core/documents.ts';
import { keptCart } from './cart-item.ts';
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
  readonly now: Clock;
}

/** A stored cart, and the table that has it. */
export interface FoundCart {
  readonly tableName: string;
  readonly cart: Cart;
}

/**
 * Reads the carts of a mode. Deleted carts are missing in the result.
 *
 * @throws any error of the SDK when DynamoDB is slow, throttles or is down
 */
export const findCarts = async (
  { mode, cartIds }: CartsOfMode,
  { documents, tables, now }: CartReads,
  signal?: AbortSignal,
): Promise<readonly FoundCart[]> => {
  const tableName = tables[mode];
  const keys = cartIds.map((id) => ({ id: { S: id } }));
  const items = await batchGet(documents, tableName, keys, { signal });
  const carts = items.map((item) => keptCart(item, now())).filter((cart) => cart !== undefined);
  return carts.map((cart) => ({ tableName, cart }));
};
