import { ACTIONS, type Action } from '../../../functions/sandbox-checkout/actions.ts';
import { ENGLISH } from '../../../functions/sandbox-checkout/texts/english.ts';
import { STATUS_MEANINGS } from '../../../lib/carts/cart-view-schema.ts';
import { CART_STATUSES, type CartStatus } from '../../../lib/carts/cart.ts';
import { CART_NEXT_STEPS } from '../../../lib/event-catalogue/event-schemas.ts';
import { CART_EVENT_TYPES } from '../../../lib/events/event-types.ts';
import { code, table } from './markdown.ts';

const AFTER_RETURN: Readonly<Record<CartStatus, string>> = {
  waiting_payment: 'wait, then retrieve the cart again',
  completed: 'deliver once: record the cart id in the same database transaction as the delivery',
  payment_failed: "offer the cart's `redirectUrl` again. `failureReason` may say why",
  abandoned: 'offer a new cart',
};

/** The statuses of a cart, and what a merchant does in each when the buyer returns. */
export const returnTable = (): string =>
  table([
    ['`status`', 'Meaning', 'Action'],
    ...CART_STATUSES.map((status) => [code(status), `${STATUS_MEANINGS[status]}.`, AFTER_RETURN[status]]),
  ]);

/** A list of the next steps of merchants, by the type of the event. */
export const nextSteps = (): string =>
  CART_EVENT_TYPES.map((type) => `- ${code(type)}: ${CART_NEXT_STEPS[type]}`).join('\n');

const EFFECTS: Readonly<Record<Action, string>> = {
  pay: 'The payment succeeds.',
  decline: 'The payment fails. The buyer can try again.',
  leave: 'The buyer leaves without a payment.',
  ...ENGLISH.effects,
};

/** The actions of the sandbox. Its page shows the same effects. */
export const actionTable = (): string =>
  table([['Action', 'Effect'], ...ACTIONS.map((action) => [code(action), EFFECTS[action]])]);
