import * as z from 'zod/mini';

/** The most items of a page of any list, and the default of most. */
export const PAGE_LIMIT_MAX = 100;

const limitSchema = z
  .string()
  .check(z.regex(/^(?:[1-9]\d?|100)$/, `Must be a whole number from 1 to ${PAGE_LIMIT_MAX}`));

/** A query parameter that is sent at most once. API Gateway lists the values of each parameter. */
export const once = (schema: z.ZodMiniType<string, string>) =>
  z.optional(
    z.pipe(
      z.array(z.string()).check(z.maxLength(1, 'Must be sent once')),
      z.pipe(
        z.transform(([value = '']: string[]) => value),
        schema,
      ),
    ),
  );

/**
 * The most items of a page, from 1 to {@link PAGE_LIMIT_MAX}.
 *
 * @param byDefault the number without the parameter
 */
export const pageLimit = (byDefault = PAGE_LIMIT_MAX) =>
  z.pipe(
    once(limitSchema),
    z.transform((limit) => (limit === undefined ? byDefault : Number(limit))),
  );
