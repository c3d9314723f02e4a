import { type Markup, markup } from '../../../lib/sandbox/markup.ts';

/** A column's heading. `number` aligns the column at its end. */
export type Heading = string | { readonly number: string };

const headingCell = (heading: Heading): Markup =>
  typeof heading === 'string'
    ? markup`<th scope="col" role="columnheader">${heading}</th>`
    : markup`<th scope="col" role="columnheader" class="number">${heading.number}</th>`;

/** A row of a table. A cell that is not `Markup` is text. */
export const row = (cells: readonly (string | Markup)[]): Markup =>
  markup`<tr role="row">${cells.map((cell) => markup`<td role="cell">${cell}</td>`)}</tr>\n`;

/**
 * A table that scrolls by itself. Its name is that of its section. Its roles are explicit, because a browser ignores the
 * implicit ones if a stylesheet changes the layout of the table.
 */
export const table = (
  labelledBy: string,
  headings: readonly Heading[],
  rows: readonly Markup[],
): Markup => markup`
<div class="scroll" role="region" tabindex="0" aria-labelledby="${labelledBy}">
<table role="table">
<thead role="rowgroup"><tr role="row">${headings.map(headingCell)}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>
</div>`;

/** A time in UTC. The column's heading names the zone. */
export const time = (timeMs: number): Markup => {
  const text = new Date(timeMs).toISOString();
  return markup`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`;
};

/** Enough digits to distinguish the ids of a page. */
const SHORT_ID_LENGTH = 8;

/** A cart's id in short, as a link to its sandbox page if it has one. */
export const cartReference = (cartId: string, sandboxPath: string | undefined): Markup => {
  const short = `${cartId.slice(0, SHORT_ID_LENGTH)}…`;
  return sandboxPath === undefined
    ? markup`<span title="${cartId}">${short}</span>`
    : markup`<a href="${sandboxPath}/${cartId}" title="${cartId}">${short}</a>`;
};
