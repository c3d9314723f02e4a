import * as z from 'zod/mini';
import { IF_NONE_MATCH } from '../requests/conditional-request.ts';
import { once, pageLimit } from '../requests/query-parameters.ts';
import { PRODUCT_ID } from './product.ts';

/** The position after a product is its id. */
export const productCursorSchema = z
  .string()
  .check(z.regex(PRODUCT_ID, 'Must be a cursor from a response'), z.meta({ minLength: 1, maxLength: 128 }));

/** The parts of a request that a list of products reads. */
export const productListRequestSchema = z.object({
  query: z.object({ after: once(productCursorSchema), limit: pageLimit() }),
  headers: z.object({ [IF_NONE_MATCH]: z.optional(z.string()) }),
});
