import type { Cart } from '../carts/cart.ts';
import type { Payment } from '../carts/payment.ts';
import { minorUnitDigits, type Price } from '../products/price.ts';

/** What a visitor of the sandbox can let happen: the values of the form's field `action`. */
export const ACTIONS = [
  'pay',
  'decline',
  'leave',
  'pay_late',
  'pay_twice',
  'out_of_order',
  'wrong_amount',
] as const;

export type Action = (typeof ACTIONS)[number];

/** How late a late payment is: any time after the expiry would do. */
const LATE_BY_MS = 60_000;

/** How long before the success the failure happened that is delivered after it. */
const EARLIER_BY_MS = 1_000;

/** A price that is higher by the smallest unit of its currency. */
const wrongPrice = ({ amount, currency }: Price): Price => {
  const unitsPerMain = 10 ** minorUnitDigits(currency);
  return { amount: (Math.round(amount * unitsPerMain) + 1) / unitsPerMain, currency };
};

/** Makes a payment that succeeds now, with ids of its own. */
type Succeed = () => Payment;

const PAYMENTS: Readonly<Record<Action, (succeed: Succeed, cart: Cart) => readonly Payment[]>> = {
  pay: (succeed) => [succeed()],
  decline: (succeed) => [{ ...succeed(), result: 'failed' }],
  leave: () => [],
  pay_late: (succeed, { expiresAtMs }) => [{ ...succeed(), occurredAtMs: expiresAtMs + LATE_BY_MS }],
  pay_twice: (succeed) => {
    const second = succeed();
    // A millisecond apart, so that it is certain which one came first.
    return [succeed(), { ...second, occurredAtMs: second.occurredAtMs + 1 }];
  },
  out_of_order: (succeed) => {
    const failure = succeed();
    return [succeed(), { ...failure, result: 'failed', occurredAtMs: failure.occurredAtMs - EARLIER_BY_MS }];
  },
  wrong_amount: (succeed, { price }) => [{ ...succeed(), ...wrongPrice(price) }],
};

/**
 * The payments that an action stands for, in the order in which their events arrive.
 *
 * @param newId makes a UUID for each event and each payment
 */
export const paymentsOf = (
  action: Action,
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
