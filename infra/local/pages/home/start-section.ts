import { OPERATIONS } from '../../../../functions/operations.ts';
import { formatPrice } from '../../../../lib/pages/format-price.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { Product } from '../../../../lib/products/product.ts';
import { type DemoStore, DEMO_STORES, FIRST_CART } from '../../../local-access/demo-stores.ts';
import { curlCommand } from '../../demo/curl-command.ts';
import { codeTabs } from '../parts/code.ts';
import { copyable, factList } from '../parts/elements.ts';
import { programsOf } from '../parts/programs.ts';

const keyOf = ({ id, apiKey, products }: DemoStore) => {
  const names = products.filter(({ available }) => available).map((product) => product.id);
  return [
    id,
    markup`${copyable(`key-${id}`, `the key of ${id}`, apiKey)}
<span class="soft">${names.join(', ')}</span>`,
  ] as const;
};

/** The keys of the demo stores, with their products. */
const DEMO_KEYS = markup`<h3>Demo keys <span class="soft">for your machine only</span></h3>
${factList(DEMO_STORES.map(keyOf))}`;

/** The price of a cart for the product. `undefined` if the product is not sold, or the buyer must choose a price. */
const priceOf = ({ available, pricing, currency }: Product): string | undefined => {
  const amount = pricing.type === 'fixed' ? pricing.amount : pricing.suggested;
  return available && amount !== undefined ? formatPrice({ amount, currency }, 'en') : undefined;
};

/** Rendered for each request: the first use of `Intl` takes 11 ms, which a start need not spend. */
const options = (): readonly Markup[] =>
  DEMO_STORES.flatMap(({ apiKey, products }) =>
    products.flatMap((product) => {
      const price = priceOf(product);
      if (price === undefined) return [];
      return markup`<option value="${product.id}" data-key="${apiKey}">${product.name}, ${price}</option>`;
    }),
  );

/** The call that creates a cart, in each language. */
export const callSamples = (baseUrl: string): Markup => {
  const { node, python, php } = programsOf({
    method: 'POST',
    url: baseUrl + OPERATIONS.createCartCheckout.path,
    headers: [
      ['Authorization', `Bearer ${DEMO_STORES[0].apiKey}`],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify(FIRST_CART),
  });
  return codeTabs('call', 'the call', {
    // The command of the documents.
    curl: curlCommand(baseUrl, ' \\\n  '),
    node: `// Save it as cart.mjs.\n${node}`,
    python: `# Save it as cart.py.\n${python}`,
    php: php.replace('<?php', '<?php // Save it as cart.php.'),
  });
};

const form = (): Markup => markup`<form id="create" method="post" action="/carts">
<label for="product">Product</label>
<select id="product" name="product">${options()}</select>
<button class="primary">Create a test cart</button>
</form>
<p id="created" role="status"></p>`;

/**
 * The first section: a button that creates a test cart, the same call for a program, and the keys.
 *
 * @param samples the call
 * @param hasCarts whether the stage has a cart. The section is then smaller
 */
export const startSection = (samples: Markup, hasCarts: boolean): Markup => {
  if (hasCarts) {
    return markup`
<section class="started">
${form()}
<details><summary>The same call from your server, and the demo keys</summary>
<div class="start"><div>${samples}</div><div>${DEMO_KEYS}</div></div></details>
</section>`;
  }
  return markup`
<section class="start">
<div>
<h2>Create, pay, get the webhook</h2>
${form()}
<ol>
<li>Create a test cart. Its payment page opens.</li>
<li>Pay there, or make the payment fail. No money moves.</li>
<li>See the signed webhook below. The built-in receiver verifies its signature.</li>
</ol>
</div>
<div>
<h2>The same call from your server</h2>
${samples}
</div>
<div class="wide">${DEMO_KEYS}</div>
</section>`;
};
