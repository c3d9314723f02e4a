import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { DEMO_STORES, type DemoStore } from '../../local-access/demo-stores.ts';
import { PLACEHOLDER_CHECKOUT_URL } from '../../stage/stage-config.ts';
import { copyButton, factList } from './parts.ts';

/** The facts about a stage that its page shows. */
export interface StageFacts {
  readonly baseUrl: string;
  readonly version: string;
  /** A sentence about the database. */
  readonly database: string;
  /** Where the buyers of live carts pay. */
  readonly checkoutUrl: string;
}

const liveCarts = (checkoutUrl: string): string =>
  checkoutUrl === PLACEHOLDER_CHECKOUT_URL
    ? `${checkoutUrl}: a placeholder, because this stage has no live payment page`
    : `Buyers pay at ${checkoutUrl}`;

const keyOf = ({ id, apiKey, products }: DemoStore) => {
  const names = products.filter(({ available }) => available).map((product) => product.id);
  return [
    id,
    markup`<span class="row"><code id="key-${id}">${apiKey}</code> ${copyButton(`key-${id}`, `the key of ${id}`)}</span>
<span class="soft">${names.join(', ')}</span>`,
  ] as const;
};

/** The keys of the demo stores, with their products. */
export const DEMO_KEYS = markup`<h3>Demo keys <span class="soft">for your machine only</span></h3>
${factList(DEMO_STORES.map(keyOf))}`;

/** The form that sends the events of a demo store to an address of the user. The page's script shows it. */
export const ENDPOINT_FORM = markup`
<section>
<h2>Send webhooks to your own program</h2>
<form id="endpoint" class="row" method="post" action="/endpoints">
<label for="url">Address</label>
<input id="url" name="url" type="url" required placeholder="http://127.0.0.1:8080/hook">
<span class="row"><label for="store">Store</label>
<select id="store" name="store">${DEMO_STORES.map(({ id }) => markup`<option>${id}</option>`)}</select></span>
<button class="primary">Add the endpoint</button>
</form>
<p class="soft">Its page then has the secret, and the command that starts a receiver in Node.js, Python or PHP.</p>
</section>`;

/** The facts about the stage. */
export const stageSection = ({ baseUrl, version, database, checkoutUrl }: StageFacts): Markup => markup`
<section>
<h2>This stage</h2>
${factList([
  ['Address', baseUrl],
  ['Version', version],
  ['Database', database],
  ['Contract', markup`<a href="/openapi.json">OpenAPI 3.1</a>`],
  ['Live carts', liveCarts(checkoutUrl)],
])}
</section>`;
