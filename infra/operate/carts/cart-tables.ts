import { InvalidArgumentError } from 'commander';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { type Mode, MODES } from '../../../lib/core/mode.ts';
import type { ValueType } from '../command.ts';
import type { ScanPosition } from '../scan.ts';

const CART_TABLES = { live: 'carts', test: 'testCarts' } as const;

/** The tables with the carts of a mode. By default, of both. */
export const cartTablesOf = (mode?: Mode) => (mode ? [mode] : MODES).map((each) => CART_TABLES[each]);

/** Whether a text is the id of a cart, or of a payment's claim, which is in the same table. */
const isItemId = (text: string): boolean => parseCartId(text.replace(/^payment#/, '')) !== undefined;

/** The text of a cursor: the index of the table, and the id before the place. */
export const formatCursor = ({ table, after }: ScanPosition): string => {
  const { id = '' } = (after ?? {}) as { readonly id?: string };
  return Buffer.from(`${table} ${id}`).toString('base64url');
};

/** The text of {@link formatCursor}. */
export const CURSOR: ValueType<ScanPosition> = {
  placeholder: 'cursor',
  parse: (text) => {
    const [, table, id] = /^([01]) (.*)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
    if (id === '') return { table: Number(table) };
    if (id !== undefined && isItemId(id)) return { table: Number(table), after: { id } };
    throw new InvalidArgumentError('It must be the cursor that `carts list` prints.');
  },
};
