import type { Cart } from '../../lib/carts/cart.ts';
import type { Payment } from '../../lib/carts/payment.ts';
import { fromMinorUnits, type Price, toMinorUnits } from '../../lib/products/price.ts';

/** The actions of the sandbox: the values of the form's field `action`. */
export const ACTIONS = [
  'pay',
  'decline',
  'leave',
  'expire',
  'pay_late',
  'pay_twice',
  'out_of_order',
  'wrong_amount',
  'refund',
] as const;

export type Action = (typeof ACTIONS)[number];

/** The actions of the test cards. */
export type CardAction = 'pay' | 'decline';

/** The actions of the test scenarios. Buyers pay by a card, or leave by a link. */
export type TestControl = Exclude<Action, CardAction | 'leave'>;

/** The actions that record payments, or nothing. */
export type PaymentAction = Exclude<Action, 'expire' | 'refund'>;

/** How long after the expiry a late payment happens. */
const LATE_BY_MS = 60_000;

/** How long before the success the failure happens, which arrives after it. */
const EARLIER_BY_MS = 1_000;

/** The price plus one minor unit of its currency. */
const wrongPrice = ({ amount, currency }: Price): Price => ({
  amount: fromMinorUnits(toMinorUnits(amount, currency) + 1n, currency),
  currency,
});

/** Makes a payment that succeeds now, with new ids. */
type Succeed = () => Payment;

const PAYMENTS: Readonly<Record<PaymentAction, (succeed: Succeed, cart: Cart) => readonly Payment[]>> = {
  pay: (succeed) => [succeed()],
  decline: (succeed) => [{ ...succeed(), result: 'failed', failureReason: 'card_declined' }],
  leave: () => [],
  pay_late: (succeed, { expiresAtMs }) => [{ ...succeed(), occurredAtMs: expiresAtMs + LATE_BY_MS }],
  pay_twice: (succeed) => {
    const second = succeed();
    // Payments at the same time would have a random order.
    return [succeed(), { ...second, occurredAtMs: second.occurredAtMs + 1 }];
  },
  out_of_order: (succeed) => {
    const failure = succeed();
    return [succeed(), { ...failure, result: 'failed', occurredAtMs: failure.occurredAtMs - EARLIER_BY_MS }];
  },
  wrong_amount: (succeed, { price }) => [{ ...succeed(), ...wrongPrice(price) }],
};

/**
 * The payments of an action, in the order in which their events arrive.
 *
 * @param newId generates the UUIDs of events and payments
 */
export const paymentsOf = (
  action: PaymentAction,
  cart: Cart,
  nowMs: number,
  newId: () => string,
): readonly Payment[] => {
  const { amount, currency } = cart.price;
  const succeed: Succeed = () => ({
    eventId: newId(),
    paymentId: newId(),
    result: 'succeeded',
    amount,
    currency,
    occurredAtMs: nowMs,
  });
  return PAYMENTS[action](succeed, cart);
};
