import * as z from 'zod/mini';
import {
  PAYMENT_CART_EXAMPLE,
  paymentCartSchema,
  returnUrlsSchema,
} from '../../../functions/get-cart/payment-cart-contract.ts';
import { paymentDetailSchema, refundDetailSchema } from '../../../lib/payments/payment-event.ts';
import { code, json, shell, table } from './markdown.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** @throws Error if the schema of a field has no description */
const descriptionOf = (schema: z.ZodMiniType): string => {
  const { description } = z.globalRegistry.get(schema) ?? {};
  if (description === undefined) throw new Error('A field of payment events or carts has no description');
  return description;
};

/** Such as `string, 1 to 128 characters`. */
const typeOf = (schema: z.ZodMiniType): string => {
  const { type, enum: values, format, minLength, maxLength } = z.toJSONSchema(schema, { io: 'input' });
  const length = maxLength === undefined ? [] : [`${minLength ?? 0} to ${maxLength} characters`];
  return [values?.map((value) => code(String(value))).join(' or ') ?? type, format ?? [], length]
    .flat()
    .join(', ');
};

const detailTable = (shape: Shape): string =>
  table([
    ['Field of `detail`', 'Type', 'Meaning'],
    ...Object.entries(shape).map(([field, schema]) => [code(field), typeOf(schema), descriptionOf(schema)]),
  ]);

/** The command that sends a payment. */
export const sendCommand = (): string => {
  const cartId = PAYMENT_CART_EXAMPLE.id;
  const detail: z.input<typeof paymentDetailSchema> = {
    eventId: 'evt-1',
    cartId,
    mode: 'live',
    paymentId: '9b2f3c1e-0a5b-4c6d-8e7f-90a1b2c3d4e5',
    amount: 49.9,
    currency: 'EUR',
    occurredAt: '2026-11-20T14:00:00Z',
  };
  paymentDetailSchema.parse(detail);
  const entry = {
    EventBusName: '{EventBusName}',
    Source: 'payments',
    DetailType: 'payment.succeeded',
    Detail: JSON.stringify(detail).replace(cartId, '{cartId}'),
  };
  return shell(`aws events put-events --entries '[${JSON.stringify(entry, null, 2)}]'`);
};

/** The fields of a refund that a payment does not have, or that mean something else there. */
const OWN_FIELDS_OF_REFUNDS = Object.fromEntries(
  Object.entries(refundDetailSchema.shape).filter(
    ([field, schema]) => (paymentDetailSchema.shape as Shape)[field] !== schema,
  ),
);

/** The fields of a payment event. */
export const paymentTable = (): string => detailTable(paymentDetailSchema.shape);

/** The fields of a refund event that differ from those of a payment. */
export const refundTable = (): string => detailTable(OWN_FIELDS_OF_REFUNDS);

const meanings = (shape: Shape): string[][] =>
  Object.entries(shape).map(([field, schema]) => [code(field), descriptionOf(schema)]);

/** An example of the cart to charge. */
export const paymentCartExample = (): string => json(paymentCartSchema.parse(PAYMENT_CART_EXAMPLE));

export const paymentCartTable = (): string =>
  table([['Field', 'Meaning'], ...meanings(paymentCartSchema.shape)]);

/** The addresses to which the payment side sends the buyer back. */
export const returnUrlTable = (): string => table([['Address', 'When'], ...meanings(returnUrlsSchema.shape)]);
