import type { CartStatus } from '../carts/cart.ts';
import type { Action } from './actions.ts';
import type { Notice } from './notices.ts';
import type { PageErrorKind } from './page-errors.ts';

interface Headed {
  readonly heading: string;
  readonly text: string;
}

/** Every text of the pages. All are plain text without placeholders. */
export interface Texts {
  readonly title: string;
  readonly testMode: string;
  readonly noMoneyMoves: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly cart: string;
  readonly payment: string;
  readonly receipt: string;
  readonly paymentId: string;
  readonly paidAt: string;
  readonly openUntil: string;
  readonly expiredAt: string;
  readonly late: Headed;
  readonly more: string;
  readonly toMerchant: string;
  readonly toCheckout: string;
  readonly statuses: Readonly<Record<CartStatus, Headed>>;
  readonly buttons: Readonly<Record<Action, string>>;
  /** The effect of each action, in one sentence. */
  readonly effects: Readonly<Record<Action, string>>;
  readonly notices: Readonly<Record<Notice, string>>;
  readonly errors: Readonly<Record<PageErrorKind, Headed>>;
}
