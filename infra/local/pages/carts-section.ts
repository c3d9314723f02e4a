import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { formatPrice } from '../../../lib/sandbox/formats.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { cartReference, type Row, statusPill, table, time } from './table.ts';

const cartRow = (cart: Cart, nowMs: number): Row => ({
  cells: [
    time(cart.createdAtMs),
    cartReference(cart.id),
    cart.productName,
    markup`<span class="keep">${formatPrice(cart.price, 'en')}</span>`,
    statusPill(statusAt(cart, nowMs).status),
    cart.storeId,
    cart.mode,
  ],
});

/** The newest carts. It shows nothing about the buyers. */
export const cartsSection = (carts: readonly Cart[], nowMs: number): Markup => markup`
<section>
<h2 id="carts">Carts</h2>
${
  carts.length === 0
    ? markup`<p>There is no cart yet. Create a test cart above.</p>`
    : table(
        'carts',
        ['Created (UTC)', 'Cart', 'Product', 'Amount', 'Status', 'Store', 'Mode'],
        carts.map((cart) => cartRow(cart, nowMs)),
      )
}
</section>`;
