import { randomUUID } from 'node:crypto';
import { type Cart, newCart } from '../../../lib/carts/cart.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import type { Refund } from '../../../lib/carts/refund.ts';
import { NOW_MS } from '../clock.ts';
import { BUYER } from '../secrets.ts';

export const CREATED_AT_MS = NOW_MS;
export const EXPIRES_AT_MS = CREATED_AT_MS + 30 * 60_000;

/** Carts expire after 30 minutes, and are deleted a day later. */
export const LIFETIME = { expirySeconds: 1_800, retentionSeconds: 86_400 };

/** A live cart of 19.99 EUR that waits for its payment, with changes. */
export const waitingCart = (changes: Partial<Cart> = {}): Cart => ({
  ...newCart(
    {
      id: randomUUID(),
      storeId: 'store-1',
      mode: 'live',
      customerInfo: { ...BUYER },
      productId: 'course',
      productName: 'Course',
      price: { amount: 19.99, currency: 'EUR' },
      meta: { order: 'A-1' },
      requestFingerprint: 'fingerprint',
      nowMs: CREATED_AT_MS,
    },
    LIFETIME,
  ),
  ...changes,
});

/** A payment that completes a {@link waitingCart} one minute after its creation, with changes. */
export const payment = (changes: Partial<Payment> = {}): Payment => ({
  eventId: randomUUID(),
  paymentId: randomUUID(),
  result: 'succeeded',
  amount: 19.99,
  currency: 'EUR',
  occurredAtMs: CREATED_AT_MS + 60_000,
  ...changes,
});

/** A refund of 5 EUR of a payment, two minutes after the creation of a {@link waitingCart}, with changes. */
export const refund = (changes: Pick<Refund, 'paymentId'> & Partial<Refund>): Refund => ({
  refundId: randomUUID(),
  amount: 5,
  currency: 'EUR',
  occurredAtMs: CREATED_AT_MS + 120_000,
  ...changes,
});
