import { type Markup, markup } from '../../../lib/sandbox/markup.ts';

/** A button that copies the text of an element, and its result. The page's script shows the button. */
export const copyButton = (id: string, label: string): Markup =>
  markup`<button type="button" data-copy="${id}" aria-label="Copy ${label}" hidden>Copy</button><span class="copied" role="status"></span>`;
