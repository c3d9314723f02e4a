import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseProduct } from '../../../infra/operate/products/product-schema.ts';
import {
  type CartEventInput,
  cartEvent,
  eventIdOf,
  expiryCause,
  possibleEventIds,
} from '../../../lib/carts/cart-event.ts';
import { applyPayment, type PaymentOutcome } from '../../../lib/carts/cart-payments.ts';
import { applyRefund, type RefundOutcome, REFUNDS_MAX } from '../../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createCartRequestSchema } from '../../../lib/carts/request/create-cart-request.ts';
import { CART_EVENT_TYPES, type CartEventType } from '../../../lib/events/event-types.ts';
import { loggedEvent } from '../../../lib/events/logged-event.ts';
import { createdCart } from '../../support/domain/created-cart.ts';
import { CREATED_AT_MS, EXPIRES_AT_MS, payment, refund, waitingCart } from '../../support/domain/payments.ts';
import { fixedProduct } from '../../support/domain/products.ts';
import { metaOfBytes } from './large-meta.ts';

/** A control character has 6 bytes in JSON, more than any other. */
const CONTROL = '\u0001';

/** The longest values of the fields that take no text of control characters. */
const FORMED = {
  productDocumentId: 'x'.repeat(128),
  email: `${'x'.repeat(244)}@a.example`,
  lang: 'fr-CA',
  redirectURL: 'https://shop.example',
  cancelURL: 'https://shop.example',
  meta: metaOfBytes(128_000),
  expiresInMinutes: 30,
  customerPrice: 99_999_999_999.9999,
};

/** Values of a text field, the longest first. One with 3,000 characters makes the largest event exceed its bound. */
const TEXTS = Array.from({ length: 3_000 }, (_, index) => CONTROL.repeat(3_000 - index));

/** The largest create request. It has every field of the schema: a new text has its longest value. */
const LARGEST = createCartRequestSchema.parse({
  ...Object.fromEntries(
    Object.entries(createCartRequestSchema.shape).map(([name, schema]) => [
      name,
      TEXTS.find((text) => schema.safeParse(text).success),
    ]),
  ),
  ...FORMED,
});

/** The largest name of a product that an operator can store. It has no control characters, so 4 bytes for a character. */
const LARGEST_NAME = TEXTS.map(({ length }) => '🎈'.repeat(length)).find(
  (name) => parseProduct({ ...fixedProduct(), name }).ok,
);

/** The cart of the largest create request. */
const largestCart = (): Promise<Cart> =>
  createdCart(
    LARGEST,
    {
      name: LARGEST_NAME ?? expect.fail('no name is valid'),
      currency: 'CLF',
      pricing: { type: 'free' },
    },
    'gsw-419',
  );

it('the largest create request has a value of each field', () => {
  const fields = Object.keys(createCartRequestSchema.shape) as (keyof typeof LARGEST)[];
  expect(fields.filter((field) => LARGEST[field] === undefined)).toStrictEqual([]);
});

it('the event of the largest cart with all refunds is a payload of at most 160 KiB', async () => {
  const cart: Cart = {
    ...(await largestCart()),
    status: 'completed',
    paymentId: randomUUID(),
    latePayment: true,
  };
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
  const bytes = Buffer.byteLength(loggedEvent(cartEvent(refunded), 1, CREATED_AT_MS).body);
  expect(bytes).toBeGreaterThan(150_000);
  expect(bytes).toBeLessThanOrEqual(160 * 1_024);
});

it('the event of an abandonment shows the cart as abandoned, even if the clock moves back after the expiry', () => {
  const event = { type: 'cart.abandoned', cart: waitingCart(), cause: 'expiry' } as const;
  const { body } = loggedEvent(cartEvent(event), 1, EXPIRES_AT_MS - 1);
  expect(JSON.parse(body)).toMatchObject({ data: { status: 'abandoned' } });
});

const changeOf = (
  outcome: PaymentOutcome | RefundOutcome,
): Omit<CartEventInput, 'type'> & { type: string } => {
  if (outcome.outcome !== 'recorded' || !outcome.event) throw new Error('no event');
  return { ...outcome.event, cart: outcome.cart };
};

const paid = payment();
const { cart: paidCart } = changeOf(applyPayment(waitingCart(), paid));

/** A change that causes each type of event. */
const CHANGES: Readonly<Record<CartEventType, () => ReturnType<typeof changeOf>>> = {
  'cart.completed': () => changeOf(applyPayment(waitingCart(), paid)),
  'cart.payment_failed': () => changeOf(applyPayment(waitingCart(), payment({ result: 'failed' }))),
  'cart.duplicate_payment': () => changeOf(applyPayment(paidCart, payment())),
  'cart.refunded': () => changeOf(applyRefund(paidCart, refund({ paymentId: paid.paymentId }))),
  'cart.abandoned': () => {
    const cart = waitingCart();
    return { type: 'cart.abandoned', cart, cause: expiryCause(cart) };
  },
};

it.each(CART_EVENT_TYPES)(
  'the possible events of a cart contain its %s, so that an erasure finds the deliveries',
  (type) => {
    const change = CHANGES[type]();
    expect(change.type).toBe(type);
    expect(possibleEventIds(change.cart)).toContain(eventIdOf({ ...change, type }));
  },
);
