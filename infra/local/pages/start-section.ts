import { type Markup, markup } from '../../../lib/sandbox/markup.ts';
import { DEMO_STORES, type DemoStore } from '../demo-stores.ts';
import { curlCommand } from '../ready-message.ts';
import { shownUrl } from './webhooks-section.ts';

/** The facts about a stage that its page shows. */
export interface StageFacts {
  readonly baseUrl: string;
  readonly version: string;
  /** A sentence about the database. */
  readonly database: string;
  /** Where the buyers of live carts pay. */
  readonly checkoutUrl: string;
  /** The address of `--webhook`. */
  readonly webhookUrl?: string | undefined;
}

const entry = (term: string, value: string | Markup): Markup => markup`<dt>${term}</dt><dd>${value}</dd>`;

const webhooksText = (url: string | undefined): Markup =>
  url === undefined
    ? markup`No <code>--webhook</code> address. <a href="#endpoints">All endpoints</a>`
    : markup`The events of both demo stores go to ${shownUrl(url)}. <a href="#endpoints">All endpoints</a>`;

/** A button that copies the text of an element, and its result. The page's script shows the button. */
const copyButton = (id: string, label: string): Markup =>
  markup`<button type="button" data-copy="${id}" aria-label="Copy ${label}" hidden>Copy</button><span class="copied" role="status"></span>`;

const keyEntry = ({ id, apiKey, products }: DemoStore): Markup => {
  const names = products.filter(({ available }) => available).map((product) => product.id);
  return entry(
    id,
    markup`<span class="row"><code id="key-${id}">${apiKey}</code> ${copyButton(`key-${id}`, `the key of ${id}`)}</span>
<span class="soft">Products: ${names.join(', ')}</span>`,
  );
};

/** The section with the facts about the stage, the demo keys and a first request. */
export const startSection = (facts: StageFacts): Markup => markup`
<section>
<h2>What runs here</h2>
<dl>${[
  entry('Address', facts.baseUrl),
  entry('Version', facts.version),
  entry('Database', facts.database),
  entry(
    'Mode',
    `Test mode with the keys below: no money moves. Buyers of live carts pay at ${facts.checkoutUrl}`,
  ),
  entry('Webhooks', webhooksText(facts.webhookUrl)),
]}</dl>
</section>
<section>
<h2>Demo keys</h2>
<dl>${DEMO_STORES.map(keyEntry)}</dl>
</section>
<section>
<div class="row"><h2>Create a cart</h2> ${copyButton('curl', 'the command')}</div>
<pre><code id="curl">${curlCommand(facts.baseUrl, ' \\\n  ')}</code></pre>
<p>Then open its payment page from the list below, and pay. No money moves.</p>
</section>`;
