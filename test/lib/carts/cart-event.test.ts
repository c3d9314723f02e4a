import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCartRequestSchema } from '../../../lib/carts/create-cart-request.ts';
import { cartEvent } from '../../../lib/carts/cart-event.ts';
import { REFUNDS_MAX } from '../../../lib/carts/cart-refunds.ts';
import { logEvent } from '../../../lib/events/logged-event.ts';
import { metaOfBytes } from '../../support/large-meta.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, refund, waitingCart } from '../../support/payments.ts';

/** A control character has 6 bytes in JSON, more than any other. */
const CONTROL = '\u0001';

it('the event of the largest cart is a payload of at most 128 KiB, or 160 KiB with all refunds', () => {
  const meta = metaOfBytes(128_000);
  const { firstName, lastName, email, phone } = createCartRequestSchema.parse({
    productDocumentId: 'course',
    email: `${'x'.repeat(244)}@a.example`,
    firstName: CONTROL.repeat(100),
    lastName: CONTROL.repeat(100),
    phone: CONTROL.repeat(32),
    meta,
  });
  const cart = waitingCart({
    customerInfo: { firstName, lastName, email, phone, lang: 'gsw-419' },
    meta,
    price: { amount: 99_999_999_999.9999, currency: 'CLF' },
    status: 'completed',
    paymentId: randomUUID(),
    latePayment: true,
  });
  const event = {
    type: 'cart.duplicate_payment',
    cart,
    cause: 'e',
    duplicatePaymentId: randomUUID(),
  } as const;
  const logged = logEvent(cartEvent(event), 1, CREATED_AT_MS);
  const bytes = Buffer.byteLength(logged.body);
  expect(bytes).toBeGreaterThan(130_000);
  expect(bytes).toBeLessThanOrEqual(128 * 1_024);
  const { amount, currency } = cart.price;
  const refunds = Array.from({ length: REFUNDS_MAX }, () =>
    refund({ refundId: CONTROL.repeat(128), paymentId: cart.paymentId!, amount, currency }),
  );
  const refunded = {
    type: 'cart.refunded',
    cart: { ...cart, refunds },
    cause: 'r',
    refund: refunds[0]!,
  } as const;
  const largest = Buffer.byteLength(logEvent(cartEvent(refunded), 1, CREATED_AT_MS).body);
  expect(largest).toBeGreaterThan(149_000);
  expect(largest).toBeLessThanOrEqual(160 * 1_024);
});

it('the event of an abandonment shows the cart as abandoned, even if the clock moves back after the expiry', () => {
  const event = { type: 'cart.abandoned', cart: waitingCart(), cause: 'expiry' } as const;
  const { body } = logEvent(cartEvent(event), 1, EXPIRES_AT_MS - 1);
  expect(JSON.parse(body)).toMatchObject({ data: { status: 'abandoned' } });
});
