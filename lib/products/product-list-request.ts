import * as z from 'zod/mini';
import { PRODUCT_ID } from './product.ts';

/** The position after a product is its id. */
export const productCursorSchema = z
  .string()
  .check(z.regex(PRODUCT_ID, 'Must be a cursor from a response'), z.meta({ minLength: 1, maxLength: 128 }));
