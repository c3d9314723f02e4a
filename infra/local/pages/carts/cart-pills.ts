import { duplicatePaymentIds } from '../../../../lib/carts/cart-payments.ts';
import { unitsLeft } from '../../../../lib/carts/cart-refunds.ts';
import { statusAt } from '../../../../lib/carts/cart-status.ts';
import type { Cart, CartStatus } from '../../../../lib/carts/cart.ts';
import { type Markup, markup } from '../../../../lib/pages/markup.ts';
import { pill, type Tone } from '../parts/elements.ts';

/** The tone of each status of a cart. Nobody waits for an abandoned cart any more. */
const STATUS_TONES: Readonly<Record<CartStatus, Tone>> = {
  waiting_payment: 'warn',
  completed: 'good',
  payment_failed: 'bad',
  abandoned: 'plain',
};

/** The marks of a completed cart, by which the list of carts filters. */
export const cartMarks = (cart: Cart): readonly ('refunded' | 'late' | 'paid twice')[] => {
  const isRefunded = (cart.refunds ?? []).some(({ paymentId }) => paymentId === cart.paymentId);
  const isPaidTwice = duplicatePaymentIds(cart).some((paymentId) => unitsLeft(cart, paymentId) > 0n);
  return [
    ...(isRefunded ? (['refunded'] as const) : []),
    ...(cart.latePayment ? (['late'] as const) : []),
    ...(isPaidTwice ? (['paid twice'] as const) : []),
  ];
};

const MARK_TONES = { refunded: 'plain', late: 'warn', 'paid twice': 'bad' } as const;

const isPartlyRefunded = (cart: Cart): boolean => unitsLeft(cart, cart.paymentId) > 0n;

/** The pills of a cart: its status, and whether it was refunded, late, or paid twice. */
export const cartPills = (cart: Cart, nowMs: number): Markup => {
  const { status } = statusAt(cart, nowMs);
  const marks = cartMarks(cart).map((mark) => {
    const text = mark === 'refunded' && isPartlyRefunded(cart) ? 'partly refunded' : mark;
    return markup` ${pill(text, MARK_TONES[mark])}`;
  });
  return markup`${pill(status.replaceAll('_', ' '), STATUS_TONES[status])}${marks}`;
};
