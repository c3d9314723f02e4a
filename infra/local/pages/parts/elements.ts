import * as z from 'zod/mini';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import type { StoreMode } from '../../../../lib/stores/mode.ts';
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

/** A row of a table, with the name of each cell's column. */
export const tableRow = (
  cells: readonly (readonly [column: string, content: Content | undefined])[],
): Markup =>
  markup`<tr role="row">${cells.map(([column, content]) => markup`<td role="cell" data-label="${column}">${content}</td>`)}</tr>\n`;

/**
 * A table that scrolls sideways if it is wider than its section. On a phone, each row is a card, whose cells repeat the columns'
 * names. The roles stay when the style for phones changes how rows and cells are displayed.
 *
 * @param label the attribute that names the table
 */
export const table = (label: Markup, headings: readonly Content[], rows: readonly Markup[]): Markup =>
  markup`<div class="scroll" role="region" tabindex="0" ${label}>
<table role="table">
<thead role="rowgroup"><tr role="row">${headings.map((heading) => markup`<th role="columnheader" scope="col">${heading}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>
</div>\n`;

/** A section with a table. */
export const tableSection = <Item>(section: TableSection<Item>): Markup => {
  const { id, heading, items, columns, lineBelow, empty, all, note } = section;
  const names = Object.keys(columns);
  const rowOf = (item: Item): Markup => {
    const row = tableRow(Object.entries(columns).map(([name, cellOf]) => [name, cellOf(item)]));
    const line = lineBelow?.(item);
    return markup`${row}${line && markup`<tr role="row" class="below"><td role="cell"></td><td role="cell" colspan="${String(names.length - 1)}">${line}</td></tr>\n`}`;
  };
  return markup`
<section>
<h2 id="${id}">${heading}</h2>${all !== undefined && markup` <a class="all" href="${all}">All ${heading.toLowerCase()} →</a>`}
${items.length > 0 ? table(markup`aria-labelledby="${id}"`, names, items.map(rowOf)) : empty && markup`<p>${empty}</p>`}
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
export const storeCell = ({ storeId, mode }: StoreMode): Markup =>
  markup`<span class="keep">${storeId}</span>${mode === 'live' && markup` ${pill('live', 'plain')}`}`;

/** A list of facts. One without a value is left out. */
export const factList = (facts: readonly (readonly [term: string, value: Content | undefined])[]): Markup =>
  markup`<dl>${facts.map(([term, value]) => (value ? markup`<dt>${term}</dt><dd>${value}</dd>` : markup``))}</dl>`;

/** A time. The page's script shows it relative to now, with the exact one on demand. Without the script, it is in UTC. */
export const time = (timeMs: number): Markup => {
  const text = new Date(timeMs).toISOString();
  return markup`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
};

/** An address. It breaks only after the slashes of its path. */
export const breakable = (text: string): Markup =>
  markup`${text.split(/(?<=[^:/]\/)/).map((part, index) => markup`${index > 0 && markup`<wbr>`}${part}`)}`;

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
  markup`<span class="copyable"><code id="${id}">${text}</code> ${copyButton(id, label)}</span>`;

/** A request of a button to the stage. */
export const pageRequestSchema = z.object({
  /** Default: POST */
  method: z.optional(z.literal('DELETE')),
  path: z.string(),
  /** A demo key. Absent for the sandbox, which needs none. */
  apiKey: z.optional(z.string().check(z.regex(/^\w+$/))),
  /** The message after a success. */
  done: z.string(),
  /** A question to answer with yes before the request. */
  question: z.optional(z.string()),
  /** The fields of a form, such as those of the sandbox. */
  form: z.optional(z.record(z.string(), z.string())),
});

export type PageRequest = z.infer<typeof pageRequestSchema>;

/** The demo key of a store in test mode. Other stores and live mode have none. */
export const demoKeyOf = ({ storeId, mode }: StoreMode): string | undefined =>
  mode === 'test' ? DEMO_STORES.find(({ id }) => id === storeId)?.apiKey : undefined;

/** A button that sends a request. It belongs to a form of the page: see `form-actions.ts`. */
export const requestButton = (text: string, request: PageRequest): Markup =>
  markup`<button form="send" name="request" value="${JSON.stringify(request)}">${text}</button>`;
