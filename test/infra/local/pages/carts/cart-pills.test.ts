import { expect, test } from 'vitest';
import { cartPills } from '../../../../../infra/local/pages/carts/cart-pills.ts';
import type { Cart } from '../../../../../lib/carts/cart.ts';
import { NOW_MS } from '../../../../support/clock.ts';
import { payment, waitingCart } from '../../../../support/domain/payments.ts';
import { textOf } from '../pages.ts';

const PAID = { status: 'completed', paymentId: 'p1', price: { amount: 10, currency: 'EUR' } } as const;

const refundOf = (amount: number, paymentId = 'p1') => ({
  refundId: `r-${paymentId}`,
  paymentId,
  amount,
  currency: 'EUR',
  occurredAtMs: NOW_MS,
});

const TWICE = ['p1', 'p2'].map((paymentId) =>
  payment({ paymentId, eventId: paymentId, result: 'succeeded' }),
);

test.each<[string, Partial<Cart>]>([
  ['waiting payment', { expiresAtMs: NOW_MS + 1 }],
  ['abandoned', { expiresAtMs: NOW_MS }],
  ['payment failed', { status: 'payment_failed' }],
  ['completed', PAID],
  ['completed late', { ...PAID, latePayment: true }],
  ['completed refunded', { ...PAID, refunds: [refundOf(10)] }],
  ['completed partly refunded', { ...PAID, refunds: [refundOf(9.99)] }],
  ['completed paid twice', { ...PAID, payments: TWICE }],
  ['completed', { ...PAID, payments: TWICE, refunds: [refundOf(10, 'p2')] }],
])('the pills of a cart say what happened to it: %s', (text, changes) => {
  expect(textOf(String(cartPills(waitingCart(changes), NOW_MS)))).toBe(text);
});
