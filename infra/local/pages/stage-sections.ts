import { type Markup, markup } from '../../../lib/pages/markup.ts';
import { DEMO_STORES, type DemoStore } from '../../local-access/demo-stores.ts';
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

const keyOf = ({ id, apiKey, products }: DemoStore) => {
  const names = products.filter(({ available }) => available).map((product) => product.id);
  return [
    id,
    markup`<span class="row"><code id="key-${id}">${apiKey}</code> ${copyButton(`key-${id}`, `the key of ${id}`)}</span>
<span class="soft">Products: ${names.join(', ')}</span>`,
  ] as const;
};

/** The form that sends the events of a demo store to an address of the user. The page's script shows it. */
const ENDPOINT_FORM = markup`
<section class="scripted">
<h2>Send webhooks to your own program</h2>
<form id="endpoint" class="row">
<label for="url">Address</label>
<input id="url" type="url" required placeholder="http://127.0.0.1:8080/hook">
<span class="row"><label for="store">Store</label>
<select id="store">${DEMO_STORES.map(({ id, apiKey }) => markup`<option value="${apiKey}">${id}</option>`)}</select></span>
<button class="primary">Add the endpoint</button>
</form>
<p id="endpoint-result" role="status"></p>
<p class="soft">Its page then has the secret, and the command that starts a receiver in Node.js, Python or PHP.</p>
</section>`;

/** The last sections: an endpoint of the user, the demo keys, and the facts about the stage. */
export const stageSections = ({
  baseUrl,
  version,
  database,
  checkoutUrl,
}: StageFacts): Markup => markup`${ENDPOINT_FORM}
<section>
<h2>Demo keys</h2>
<p>They work in test mode on local stages only, and are not secret.</p>
${factList(DEMO_STORES.map(keyOf))}
</section>
<section>
<h2>This stage</h2>
${factList([
  ['Address', baseUrl],
  ['Version', version],
  ['Database', database],
  ['Live mode', `Buyers of live carts pay at ${checkoutUrl}`],
])}
</section>`;
