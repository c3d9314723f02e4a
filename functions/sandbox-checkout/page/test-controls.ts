import type { CartStatus } from '../../../lib/carts/cart.ts';
import { type Markup, markup } from '../../../lib/pages/markup.ts';
import type { TestControl } from '../actions.ts';
import type { Texts } from '../texts/english.ts';

const OF_ANY_CART = [
  'pay_late',
  'pay_twice',
  'out_of_order',
  'wrong_amount',
] as const satisfies readonly TestControl[];

/** The controls of a cart by its status. */
const CONTROLS: Readonly<Record<CartStatus, readonly TestControl[]>> = {
  waiting_payment: ['expire', ...OF_ANY_CART],
  // A cart with a payment cannot expire.
  payment_failed: OF_ANY_CART,
  abandoned: OF_ANY_CART,
  completed: ['refund'],
};

const explained = (control: TestControl, { buttons, effects }: Texts): Markup => markup`
<li><button name="action" value="${control}" aria-describedby="${control}">${buttons[control]}</button>
<p id="${control}">${effects[control]}</p></li>`;

/** The simulator's drawer below the buyer's card. */
export const testControls = (status: CartStatus, texts: Texts): Markup => {
  const { heading, beforePayment, afterPayment, hidden } = texts.controls;
  return markup`
<details class="controls"><summary><h2>${heading}</h2> <span>${status === 'completed' ? afterPayment : beforePayment} ${hidden}</span></summary>
<form method="post"><ul>${CONTROLS[status].map((control) => explained(control, texts))}</ul></form>
</details>`;
};
