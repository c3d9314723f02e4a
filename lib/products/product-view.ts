import type * as z from 'zod/mini';
import { amountMax, fromMinorUnits } from './price.ts';
import type { productSchema } from './product-view-schema.ts';
import type { Product } from './product.ts';

/** A product in a response (`docs/contract.md`, "Product"). */
export type ProductView = z.output<typeof productSchema>;

/** Converts a product for a response. */
export const viewProduct = ({ id, name, available, currency, pricing }: Product): ProductView => {
  if (pricing.type === 'fixed') return { id, name, available, price: { amount: pricing.amount, currency } };
  // The lowest amount that can be paid, without a minimum.
  const { minimum = fromMinorUnits(1n, currency), suggested } = pricing;
  return { id, name, available, priceRange: { minimum, maximum: amountMax(currency), suggested, currency } };
};
