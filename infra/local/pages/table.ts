import { type Markup, markup } from '../../../lib/sandbox/markup.ts';

/** A row of a table. A cell that is not `Markup` is text. */
export const row = (cells: readonly (string | Markup)[]): Markup =>
  markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`;

/** A table that scrolls by itself. Its name is that of its section. */
export const table = (
  labelledBy: string,
  headings: readonly string[],
  rows: readonly Markup[],
): Markup => markup`
<div class="scroll" role="region" tabindex="0" aria-labelledby="${labelledBy}">
<table>
<thead><tr>${headings.map((heading) => markup`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
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
    ? markup`<span class="keep" title="${cartId}">${short}</span>`
    : markup`<a class="keep" href="${sandboxPath}/${cartId}" title="${cartId}">${short}</a>`;
};
