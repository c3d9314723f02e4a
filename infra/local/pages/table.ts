import { type Markup, markup } from '../../../lib/sandbox/markup.ts';

/** A cell of a table. One that is not `Markup` is text. */
type Cell = string | Markup;

export interface Row {
  readonly cells: readonly Cell[];
  /** A class of the stylesheet. */
  readonly style?: string | undefined;
}

/**
 * A table that scrolls by itself. On a phone, each row is a card, whose cells repeat their headings. Its name is that of its
 * section.
 */
export const table = (labelledBy: string, headings: readonly string[], rows: readonly Row[]): Markup => {
  const cell = (value: Cell, index: number): Markup =>
    markup`<td role="cell" data-label="${headings[index]}">${value}</td>`;
  const row = ({ cells, style }: Row): Markup =>
    markup`<tr role="row"${style !== undefined && markup` class="${style}"`}>${cells.map(cell)}</tr>\n`;
  // The roles stay when the style for phones changes how rows and cells are displayed.
  return markup`
<div class="scroll" role="region" tabindex="0" aria-labelledby="${labelledBy}">
<table role="table">
<thead role="rowgroup"><tr role="row">${headings.map((heading) => markup`<th role="columnheader" scope="col">${heading}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows.map(row)}</tbody>
</table>
</div>`;
};

/** A time in UTC. The column's heading names the zone. */
export const time = (timeMs: number): Markup => {
  const text = new Date(timeMs).toISOString();
  return markup`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`;
};

/** The pill of a cart's status. */
export const statusPill = (status: string): Markup =>
  markup`<span class="pill ${status}">${status.replaceAll('_', ' ')}</span>`;

/** Enough digits to distinguish the ids of a page. */
const SHORT_ID_LENGTH = 8;

/** A cart's id in short, as a link to the page of the cart. */
export const cartReference = (cartId: string): Markup =>
  markup`<a class="keep" href="/carts/${cartId}" title="${cartId}">${cartId.slice(0, SHORT_ID_LENGTH)}…</a>`;
