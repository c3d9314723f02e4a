import type { LogId } from '../../../../lib/events/logged-event.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { DEMO_STORES } from '../../../local-access/demo-stores.ts';

/** A text, or markup. */
type Content = string | Markup;

export interface TableSection<Item> {
  /** The id of the heading, which names the table. */
  readonly id: string;
  readonly heading: string;
  readonly items: readonly Item[];
  /** The cell of each column, by the column's name. */
  readonly columns: Readonly<Record<string, (item: Item) => Content | undefined>>;
  /** A line below a row, from the second column on. */
  readonly lineBelow?: (item: Item) => Content | undefined;
  /** The next step, instead of an empty table. */
  readonly empty?: Content;
  /** The address of the whole list, if this is its beginning. */
  readonly all?: string | undefined;
  /** A part below the table. */
  readonly note?: Markup | false;
}

/** A section with a table. One that is wider than its section scrolls sideways. On a phone, each row is a card, whose cells repeat the columns' names. */
export const tableSection = <Item>(section: TableSection<Item>): Markup => {
  const { id, heading, items, columns, lineBelow, empty, all, note } = section;
  const names = Object.keys(columns);
  const row = (item: Item): Markup => {
    const cells = Object.entries(columns).map(
      ([name, cellOf]) => markup`<td role="cell" data-label="${name}">${cellOf(item)}</td>`,
    );
    const line = lineBelow?.(item);
    const below =
      line &&
      markup`<tr role="row" class="below"><td role="cell"></td><td role="cell" colspan="${String(names.length - 1)}">${line}</td></tr>\n`;
    return markup`<tr role="row">${cells}</tr>\n${below}`;
  };
  // The roles stay when the style for phones changes how rows and cells are displayed.
  const table = markup`<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}">
<table role="table">
<thead role="rowgroup"><tr role="row">${names.map((name) => markup`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">
${items.map(row)}</tbody>
</table>
</div>`;
  return markup`
<section>
<h2 id="${id}">${heading}</h2>${all !== undefined && markup` <a class="all" href="${all}">All ${heading.toLowerCase()} →</a>`}
${items.length > 0 ? table : empty && markup`<p>${empty}</p>`}
${note}
</section>`;
};

/** The heading of a list, the newest first. At the most items that the list shows, it says that older ones are missing. */
export const listHeading = (name: string, items: readonly unknown[], itemsMax: number): string =>
  items.length < itemsMax ? name : `The ${itemsMax} newest ${name.toLowerCase()}`;

/** The colour of a state: green, yellow, red or grey. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A state in a word or two, with a colour. */
export const pill = (text: string, tone: Tone): Markup => markup`<span class="pill ${tone}">${text}</span>`;

/** The tone of an HTTP status. */
export const httpTone = (status: number): Tone => {
  if (status < 300) return 'good';
  return status < 400 ? 'plain' : 'bad';
};

/** A store, with a mark in live mode. */
export const storeCell = ({ storeId, mode }: LogId): Markup =>
  markup`<span class="keep">${storeId}</span>${mode === 'live' && markup` ${pill('live', 'plain')}`}`;

/** A list of facts. One without a value is left out. */
export const factList = (facts: readonly (readonly [term: string, value: Content | undefined])[]): Markup =>
  markup`<dl>${facts.map(([term, value]) => (value ? markup`<dt>${term}</dt><dd>${value}</dd>` : markup``))}</dl>`;

/** A time. The page's script shows it relative to now, with the exact one on demand. Without the script, it is in UTC. */
export const time = (timeMs: number): Markup => {
  const text = new Date(timeMs).toISOString();
  return markup`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
};

/** Enough digits to distinguish the ids of a page. */
const SHORT_ID_LENGTH = 8;

export const shortId = (id: string): string => `${id.slice(0, SHORT_ID_LENGTH)}…`;

/** A cart's id in short, as a link to the page of the cart. */
export const cartReference = (cartId: string): Markup =>
  markup`<a class="keep" href="/carts/${cartId}" title="${cartId}">${shortId(cartId)}</a>`;

/** A button that copies the text of an element, and its result. Without the page's script, the stylesheet hides it. */
export const copyButton = (id: string, label: string): Markup =>
  markup`<button type="button" data-copy="${id}" aria-label="Copy ${label}">Copy</button><span class="copied" role="status"></span>`;

/** A text with a button that copies it. */
export const copyable = (id: string, label: string, text: string): Markup =>
  markup`<span class="row"><code id="${id}">${text}</code> ${copyButton(id, label)}</span>`;

/** A request of a button to the stage. */
export interface PageRequest {
  /** Default: POST */
  readonly method?: 'DELETE';
  readonly path: string;
  /** A demo key. Absent for the sandbox, which needs none. */
  readonly apiKey?: string | undefined;
  /** The message after a success. */
  readonly done: string;
  /** A question to answer with yes before the request. */
  readonly question?: string;
  /** The fields of a form, such as those of the sandbox. */
  readonly form?: Readonly<Record<string, string>>;
}

/** The demo key of a store in test mode. Other stores and live mode have none. */
export const demoKeyOf = ({ storeId, mode }: LogId): string | undefined =>
  mode === 'test' ? DEMO_STORES.find(({ id }) => id === storeId)?.apiKey : undefined;

/** A button that sends a request. It belongs to a form of the page: see `form-actions.ts`. */
export const requestButton = (text: string, request: PageRequest): Markup =>
  markup`<button form="send" name="request" value="${JSON.stringify(request)}">${text}</button>`;
