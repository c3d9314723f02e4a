import * as z from 'zod/mini';
import { retrievedCartSchema } from '../../lib/carts/cart-view-schema.ts';
import type { CartStatus } from '../../lib/carts/cart.ts';
import type { ReturnUrls } from '../../lib/carts/return-address.ts';
import type { PaymentCartView } from '../../lib/payments/payment-cart-view.ts';
import type { FieldsOf } from '../../lib/schemas/view-fields.ts';

const CART_ID = '45075ab2-c0c2-4a6d-89b4-3b442bbef853';

const named = () => z.object({ id: z.string(), name: z.string() });

const { id, status, expiresAt, price, customerInfo } = retrievedCartSchema.shape;

/** The addresses for the buyer's return, by the end of the visit. */
export const returnUrlsSchema = z.strictObject({
  succeeded: z.exactOptional(z.url()).check(z.describe('the payment succeeded')),
  failed: z.exactOptional(z.url()).check(z.describe('the payment failed')),
  left: z.exactOptional(z.url()).check(z.describe('the buyer left without a payment')),
} satisfies FieldsOf<ReturnUrls>);

/** The response of `getPaymentCart`, which is not part of the public contract. `docs/payments.md` shows these descriptions. */
export const paymentCartSchema = z.strictObject({
  id: id.check(z.describe("the cart's id, for your provider's reference")),
  mode: z.enum(['live', 'test']).check(z.describe("`live`: real money. `test`: your provider's test mode")),
  status: status.check(
    z.describe('the status at the time of the request ([contract.md, Statuses](contract.md#statuses))'),
  ),
  expiresAt: expiresAt.check(z.describe('when a cart without a payment becomes `abandoned`, in ISO 8601')),
  store: named().check(z.describe("the store's id, and its name or else its id again")),
  product: named().check(z.describe("the product's id, and its name at the cart's creation")),
  price: price.check(z.describe("the amount to charge, in the currency's main unit")),
  customerInfo: customerInfo.check(
    z.describe(
      'the buyer, as retrieval shows it ([contract.md, CustomerInfo](contract.md#customerinfo)). `lang` is the locale',
    ),
  ),
  returnUrls: z
    .exactOptional(returnUrlsSchema)
    .check(
      z.describe(
        'the addresses to [send the buyer back](#send-the-buyer-back). Absent if the merchant gave none',
      ),
    ),
} satisfies FieldsOf<PaymentCartView>);

const returnUrl = (end: CartStatus): string => `https://shop.example/thanks?cartId=${CART_ID}&status=${end}`;

/** A cart of a live store, before its payment. */
export const PAYMENT_CART_EXAMPLE: PaymentCartView = {
  id: CART_ID,
  mode: 'live',
  status: 'waiting_payment',
  expiresAt: '2026-11-21T14:30:00.000Z',
  store: { id: 'demo-store-one', name: 'Demo store one' },
  product: { id: 'one-course', name: 'Course' },
  price: { amount: 49.9, currency: 'EUR' },
  customerInfo: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', lang: 'fr-CA' },
  returnUrls: {
    succeeded: returnUrl('completed'),
    failed: returnUrl('payment_failed'),
    left: returnUrl('waiting_payment'),
  },
};
