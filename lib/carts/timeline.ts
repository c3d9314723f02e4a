import type { Cart } from './cart.ts';
import type { Payment } from './payment.ts';

/** Something that happened to a cart. */
export type TimelineEntry =
  | { readonly what: 'created' | 'expired'; readonly atMs: number }
  | { readonly what: 'paymentSucceeded' | 'paymentFailed'; readonly atMs: number; readonly payment: Payment };

/** What a cart's expiry meant: nothing, once a payment had succeeded or failed before it. */
const expiry = (cart: Cart, nowMs: number): TimelineEntry[] => {
  const hasPaymentBefore =
    cart.payments?.some(({ occurredAtMs }) => occurredAtMs < cart.expiresAtMs) ?? false;
  return hasPaymentBefore || cart.expiresAtMs > nowMs ? [] : [{ what: 'expired', atMs: cart.expiresAtMs }];
};

/** All that happened to a cart until a time, in the order in which it happened. */
export const timelineOf = (cart: Cart, nowMs: number): TimelineEntry[] => {
  const payments = (cart.payments ?? []).map((payment): TimelineEntry => ({
    what: payment.result === 'succeeded' ? 'paymentSucceeded' : 'paymentFailed',
    atMs: payment.occurredAtMs,
    payment,
  }));
  // The payments are in their order already, and an expiry is told only where none came before it.
  return [{ what: 'created', atMs: cart.createdAtMs }, ...expiry(cart, nowMs), ...payments];
};
