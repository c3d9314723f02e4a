import type { Mode } from '../../../lib/core/mode.ts';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import type { CartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { formatPrice } from '../../../lib/sandbox/formats.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { SANDBOX_CHECKOUT_PATH } from '../../../functions/operations.ts';
import { cartReference, row, table, time } from './table.ts';

const CARTS_MAX = 10;

/** The carts that this process created last. */
export interface RecentCarts {
  /** Remembers a new cart by its id and mode. */
  add(cart: Pick<Cart, 'id' | 'mode'>): void;

  /** Reads the latest carts, newest first. */
  list(): Promise<readonly Cart[]>;
}

/** @param stores the carts of each mode */
export const createRecentCarts = (stores: Readonly<Record<Mode, Pick<CartStore, 'find'>>>): RecentCarts => {
  let recent: readonly Pick<Cart, 'id' | 'mode'>[] = [];
  return {
    add({ id, mode }) {
      recent = [{ id, mode }, ...recent.slice(0, CARTS_MAX - 1)];
    },
    async list() {
      const found = await Promise.all(recent.map(({ id, mode }) => stores[mode].find(id)));
      return found.filter((cart) => cart !== undefined);
    },
  };
};

const cartRow = (cart: Cart, nowMs: number): Markup =>
  row([
    time(cart.createdAtMs),
    cartReference(cart.id, cart.mode === 'test' ? SANDBOX_CHECKOUT_PATH : undefined),
    cart.storeId,
    cart.mode,
    cart.productName,
    markup`<span class="keep">${formatPrice(cart.price, 'en')}</span>`,
    statusAt(cart, nowMs).status,
  ]);

/** The latest carts with their status. It shows nothing about the buyers. */
export const cartsSection = async (carts: RecentCarts, now: Clock): Promise<Markup> => {
  const latest = await carts.list();
  return markup`
<section>
<h2 id="carts">Recent carts</h2>
${
  latest.length === 0
    ? markup`<p>No cart was created since the stage started.</p>`
    : table(
        'carts',
        ['Created (UTC)', 'Cart', 'Store', 'Mode', 'Product', 'Amount', 'Status'],
        latest.map((cart) => cartRow(cart, now())),
      )
}
</section>`;
};
