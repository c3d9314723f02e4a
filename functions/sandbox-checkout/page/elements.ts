import { type Markup, markup } from '../../../lib/pages/markup.ts';

/** A term with its value in a list. Empty without a value. */
export const row = (term: string, value: Markup | undefined): Markup =>
  value ? markup`<div><dt>${term}</dt><dd>${value}</dd></div>` : markup``;

/** Isolates a merchant's or buyer's text. Its direction and control characters do not affect the text around it. */
export const isolated = (text: string): Markup => markup`<bdi>${text}</bdi>`;
