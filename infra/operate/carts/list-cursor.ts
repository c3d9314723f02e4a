import { InvalidArgumentError } from 'commander';
import type { Mode } from '../../../lib/core/mode.ts';
import { parseCartId } from '../../../lib/carts/cart-id.ts';

/** The tables of carts: live ones, then test ones. */
export const CART_TABLES = ['carts', 'testCarts'] as const;

/** The tables with the carts of a mode. By default, of both. */
export const cartTablesOf = (mode: Mode | undefined): readonly (typeof CART_TABLES)[number][] =>
  mode === undefined ? CART_TABLES : [mode === 'live' ? 'carts' : 'testCarts'];

/** A place in the scan of the carts' tables. */
export interface ListCursor {
  readonly table: (typeof CART_TABLES)[number];
  /** The id of the item before the place. Absent at the beginning of the table. */
  readonly afterId?: string | undefined;
}

/** Whether a text is the id of a cart, or of a payment's claim, which is in the same table. */
const isItemId = (text: string): boolean => parseCartId(text.replace(/^payment#/, '')) !== undefined;

/** The text of a cursor. */
export const formatListCursor = ({ table, afterId = '' }: ListCursor): string =>
  Buffer.from(`${table} ${afterId}`).toString('base64url');

/**
 * Parses the text of {@link formatListCursor}.
 *
 * @throws InvalidArgumentError if it is not one
 */
export const parseListCursor = (text: string): ListCursor => {
  const [name, afterId = ''] = Buffer.from(text, 'base64url').toString().split(' ');
  const table = CART_TABLES.find((each) => each === name);
  if (table && (afterId === '' || isItemId(afterId))) {
    return { table, ...(afterId !== '' && { afterId }) };
  }
  throw new InvalidArgumentError('It must be the cursor that `carts list` prints.');
};
