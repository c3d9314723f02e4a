import type { Product } from '../../../lib/products/product.ts';
import { formatPrice } from '../../../lib/sandbox/formats.ts';
import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { DEMO_STORES } from '../demo-stores.ts';
import { snippets } from './snippets.ts';

/** The price of a cart for the product. `undefined` if the product is not sold, or the buyer must choose a price. */
const priceOf = ({ available, pricing, currency }: Product): string | undefined => {
  const amount = pricing.type === 'fixed' ? pricing.amount : pricing.suggested;
  return available && amount !== undefined ? formatPrice({ amount, currency }, 'en') : undefined;
};

const OPTIONS = DEMO_STORES.flatMap(({ apiKey, products }) =>
  products.flatMap((product) => {
    const price = priceOf(product);
    if (price === undefined) return [];
    return markup`<option value="${product.id}" data-key="${apiKey}">${product.name}, ${price}</option>`;
  }),
);

/** The first section: a button that creates a test cart, and the same call for a program. */
export const startSection = (baseUrl: string): Markup => markup`
<section class="start">
<div>
<h2>Create, pay, get the webhook</h2>
<form id="create" class="scripted">
<label for="product">Product</label>
<select id="product">${OPTIONS}</select>
<button class="primary">Create a test cart</button>
</form>
<p id="created" role="status"></p>
<ol>
<li>Create a test cart. Its payment page opens.</li>
<li>Pay there, or make the payment fail. No money moves.</li>
<li>See the signed webhook below. The built-in receiver verifies its signature.</li>
</ol>
</div>
<div>
<h2>The same call from your server</h2>
${snippets(baseUrl)}
</div>
</section>`;
