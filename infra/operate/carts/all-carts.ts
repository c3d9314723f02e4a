import { type CartStore, createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import type { Stage } from '../stage.ts';

/** The carts of a stage, in either mode. */
export const allCarts = ({ documents, tableNames }: Stage, now: Clock): Pick<CartStore, 'find'> => ({
  async find(cartId, signal) {
    const tables = [tableNames.carts, tableNames.testCarts];
    const found = tables.map((table) => createCartStore(documents, table, now).find(cartId, signal));
    return (await Promise.all(found)).find((cart) => cart !== undefined);
  },
});
