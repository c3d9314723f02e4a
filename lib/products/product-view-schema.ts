import * as z from 'zod/mini';
import type { FieldsOf } from '../schemas/view-fields.ts';
import type { Price } from './price.ts';

// No function imports these values, because the functions do not validate their responses. `product-view.ts` has the type.

const currency = z.string().check(z.regex(/^[A-Z]{3}$/), z.describe('ISO 4217 code, such as `EUR`'));

export const priceSchema = z
  .object({
    amount: z.number().check(z.positive(), z.describe("In the currency's main unit, such as `49.9`")),
    currency,
  } satisfies FieldsOf<Price>)
  .check(z.meta({ id: 'Price', description: 'The amount to pay' }));

const bound = (meaning: string) => z.number().check(z.positive(), z.describe(meaning));

const priceRange = z
  .object({
    minimum: bound('The lowest `customerPrice`'),
    maximum: bound('The highest `customerPrice`'),
    suggested: z.optional(
      bound('The price without a `customerPrice`. If it is absent, send a `customerPrice`'),
    ),
    currency,
  })
  .check(
    z.meta({
      id: 'PriceRange',
      description: 'The prices that a buyer may choose. Amounts are in the main unit',
    }),
  );

export const productSchema = z
  .object({
    id: z.string().check(z.describe('Identifier of the product: `productDocumentId` in a create request')),
    name: z.string().check(z.describe('The name that buyers see')),
    available: z.boolean().check(z.describe('`false`: a create request for it gets 400')),
    price: z.optional(priceSchema),
    priceRange: z.optional(priceRange),
  })
  .check(
    z.meta({
      id: 'Product',
      description: 'A product. A fixed price is `price`. With free pricing, it has `priceRange` instead.',
    }),
  );
