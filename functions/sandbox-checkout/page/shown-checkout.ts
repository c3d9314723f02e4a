import type { Cart, CartStatus } from '../../../lib/carts/cart.ts';
import type { Notice } from '../notices.ts';
import type { Texts } from '../texts/english.ts';
import type { Language } from '../texts/language.ts';

/** The values that the parts of a checkout page show. */
export interface ShownCheckout {
  readonly cart: Cart;
  readonly storeName: string;
  readonly status: CartStatus;
  readonly language: Language;
  readonly texts: Texts;
  /** The buyer's locale, whose language may differ from the page's. */
  readonly locale: string;
  /** The merchant's address for a buyer who leaves the page at this status, if there is one. */
  readonly leaveUrl: string | undefined;
  readonly notice: Notice | undefined;
}
