import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import type { CartStores } from '../../../lib/carts/cart-stores.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { formatPrice } from '../../../lib/sandbox/formats.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { SANDBOX_CHECKOUT_PATH } from '../../../functions/operations.ts';
import type { LoggedRequest } from '../request-log.ts';
import { cartReference, row, table, time } from './table.ts';

const CARTS_MAX = 10;

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

/** The carts that the latest requests created, as they are stored now. It shows nothing about the buyers. */
export const cartsSection = async (
  requests: readonly LoggedRequest[],
  stores: Readonly<Record<keyof CartStores, Pick<CartStores['test'], 'find'>>>,
  nowMs: number,
): Promise<Markup> => {
  const created = requests.filter(({ status }) => status === 201);
  const modes = new Map(
    created.map(({ cartId, hasSandboxPage }) => [cartId, hasSandboxPage ? 'test' : 'live'] as const),
  );
  const ids = [...modes].slice(0, CARTS_MAX);
  const found = await Promise.all(ids.map(([id, mode]) => stores[mode].find(String(id))));
  const carts = found.filter((cart) => cart !== undefined);
  return markup`
<section>
<h2 id="carts">Recent carts</h2>
${
  carts.length === 0
    ? markup`<p>No recent request created a cart.</p>`
    : table(
        'carts',
        ['Created (UTC)', 'Cart', 'Store', 'Mode', 'Product', 'Amount', 'Status'],
        carts.map((cart) => cartRow(cart, nowMs)),
      )
}
</section>`;
};
