import { describe, expect, it } from 'vitest';
import { cartEvent, type CartEvent } from '../../../lib/carts/cart-event.ts';
import { requestFingerprint } from '../../../lib/carts/creation/create-cart.ts';
import { createCartRequestSchema } from '../../../lib/carts/request/create-cart-request.ts';
import { erasedCart, ERASED_FINGERPRINT } from '../../../lib/erasures/erased-cart.ts';
import { loggedEvent } from '../../../lib/events/logged-event.ts';
import { erasedEventBody } from '../../../lib/operators/erasures/erase-events.ts';
import { NOW_MS } from '../../support/clock.ts';
import { createdCart } from '../../support/domain/created-cart.ts';
import { payment, refund, waitingCart } from '../../support/domain/payments.ts';
import { BUYER, findSecrets } from '../../support/secrets.ts';

const paid = payment();
const cart = waitingCart({
  status: 'completed',
  updatedAtMs: paid.occurredAtMs,
  paymentId: paid.paymentId,
  payments: [paid],
  refunds: [refund({ paymentId: paid.paymentId })],
  earlyRefunds: [refund({ paymentId: 'unknown' })],
  latePayment: true,
  abandonmentRecordedAtMs: NOW_MS,
  returnUrl: `https://shop.example/thanks?email=${BUYER.email}`,
  cancelUrl: `https://shop.example/basket?email=${BUYER.email}`,
  meta: { order: 'A-1', gift: `For ${BUYER.lastName}` },
});

/** Values of which each field of a create request takes one, if it can those that tell who the buyer is. */
const TELLING = [
  BUYER.firstName,
  BUYER.email,
  `https://shop.example/thanks?email=${BUYER.email}`,
  { gift: `For ${BUYER.lastName}` },
  'fr-CA',
  30,
];

/** A create request that has every field of the schema, also a new one. */
const tellingRequest = () =>
  createCartRequestSchema.parse(
    Object.fromEntries(
      Object.entries(createCartRequestSchema.shape).map(([name, schema]) => [
        name,
        TELLING.find((value) => schema.safeParse(value).success),
      ]),
    ),
  );

describe('an erased cart', () => {
  it('has no text of any field of its request that tells who the buyer is', async () => {
    const telling = await createdCart(tellingRequest(), { pricing: { type: 'free' } });
    expect(findSecrets(JSON.stringify(telling))).toStrictEqual(['an e-mail address', 'a name']);
    expect(findSecrets(JSON.stringify(erasedCart(telling, NOW_MS)))).toStrictEqual([]);
  });

  it('has its payments, amounts, status and times, and nothing about its buyer', () => {
    const {
      customerInfo: _,
      meta: __,
      returnUrl: ___,
      cancelUrl: _____,
      requestFingerprint: ____,
      ...kept
    } = cart;
    expect(erasedCart(cart, NOW_MS + 5)).toStrictEqual({
      ...kept,
      customerInfo: {},
      meta: {},
      requestFingerprint: ERASED_FINGERPRINT,
      personalDataErasedAtMs: NOW_MS + 5,
    });
  });

  it('loses the fields that a later release stored in it', () => {
    const others = { company: 'Analytical Engines', constructor: 'Ada' };
    expect(erasedCart({ ...cart, ...others }, NOW_MS)).toStrictEqual(erasedCart(cart, NOW_MS));
  });

  it('has a fingerprint that no request has', () => {
    const request = createCartRequestSchema.parse({ ...BUYER, productDocumentId: 'course' });
    expect(requestFingerprint(request)).toHaveLength(43);
    expect(ERASED_FINGERPRINT).not.toHaveLength(43);
  });
});

describe('the event of an erased cart', () => {
  const duplicate = {
    type: 'cart.duplicate_payment',
    cause: 'evt',
    duplicatePaymentId: payment().paymentId,
  } as const;
  const { body } = loggedEvent(cartEvent({ ...duplicate, cart }), 1, NOW_MS);

  it('has the same text as an event of the erased cart', () => {
    const erased = loggedEvent(cartEvent({ ...duplicate, cart: erasedCart(cart, NOW_MS) }), 1, NOW_MS);
    expect(findSecrets(body)).toStrictEqual(['an e-mail address', 'a name', 'a phone number']);
    expect(erasedEventBody(body)).toBe(erased.body);
    expect(findSecrets(erasedEventBody(body))).toStrictEqual([]);
    expect(erasedEventBody(body)).not.toContain('A-1');
  });

  it('loses the fields that a later release stored in it', () => {
    const { data, ...event } = JSON.parse(body) as CartEvent;
    const customerInfo = { ...data.customerInfo, company: 'Analytical Engines' };
    const later = {
      ...event,
      greeting: 'For Ada',
      data: { ...data, customerInfo, greeting: 'For Ada', constructor: 'Ada' },
    };
    expect(erasedEventBody(JSON.stringify(later))).toBe(erasedEventBody(body));
  });
});
