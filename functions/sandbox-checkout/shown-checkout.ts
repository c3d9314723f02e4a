import type { Cart, CartStatus } from '../../lib/carts/cart.ts';
import { type Markup, markup } from '../../lib/pages/markup.ts';
import type { Texts } from './english.ts';
import type { Language } from './language.ts';
import type { Notice } from './notices.ts';

/** The values that the parts of a checkout page show. */
export interface ShownCheckout {
  readonly cart: Cart;
  readonly storeName: string;
  readonly status: CartStatus;
  readonly language: Language;
  readonly texts: Texts;
  /** The buyer's locale, whose language may differ from the page's. */
  readonly locale: string;
  /** The merchant's address for the buyer's return at this status, if there is one. */
  readonly address: string | undefined;
  readonly notice: Notice | undefined;
}

/** A term with its value in a list. Empty without a value. */
export const row = (term: string, value: Markup | undefined): Markup =>
  value ? markup`<div><dt>${term}</dt><dd>${value}</dd></div>` : markup``;

/** Isolates a merchant's or buyer's text. Its direction and control characters do not affect the text around it. */
export const isolated = (text: string): Markup => markup`<bdi>${text}</bdi>`;
