import * as z from 'zod/mini';
import { retrievedCartSchema } from '../../lib/carts/cart-view-schema.ts';
import type { PaymentCartView } from '../../lib/carts/payment-cart-view.ts';
import type { FieldsOf } from '../../lib/core/fields-of.ts';

const named = z.object({ id: z.string(), name: z.string() });

const { id, status, expiresAt, price, customerInfo } = retrievedCartSchema.shape;

/** The response of `getPaymentCart`, which is not part of the public contract. `docs/payments.md` documents its fields. */
export const paymentCartSchema = z.strictObject({
  id,
  mode: z.enum(['live', 'test']),
  status,
  expiresAt,
  store: named,
  product: named,
  price,
  customerInfo,
  returnUrls: z.exactOptional(z.strictObject({ succeeded: z.url(), failed: z.url(), left: z.url() })),
} satisfies FieldsOf<PaymentCartView>);
