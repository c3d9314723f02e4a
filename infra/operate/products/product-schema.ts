import * as z from 'zod/mini';
import { unreadableTextIssue } from '../../../lib/core/readable-text.ts';
import { amountIssue } from '../../../lib/products/price.ts';
import { type Product, PRODUCT_ID } from '../../../lib/products/product.ts';
import type { InvalidField } from '../../../lib/requests/invalid-field.ts';
import { string, text } from '../../../lib/schemas/input-fields.ts';
import { exactNumber } from '../frame/exact-number.ts';
import { CURRENCIES } from './currencies.ts';

const id = () => string().check(z.regex(PRODUCT_ID, 'Must be 1 to 128 letters, digits, _ or -'));

const readableName = () =>
  z.pipe(
    z.pipe(string().check(z.trim()), text(1, 200)),
    string().check(({ value, issues }) => {
      const message = unreadableTextIssue(value);
      if (message !== undefined) issues.push({ code: 'custom', input: value, message });
    }),
  );

const NOT_NEGATIVE = 'Must be at least 0';

/** The message for an amount that is a text. A number stays one if a double would lose digits of it. */
const textMessage = (given: string): string => {
  if (Number(given) < 0) return NOT_NEGATIVE;
  return /^\d+(?:\.\d+)?$/.test(given) && exactNumber(given) === undefined
    ? 'Must have at most 15 digits'
    : 'Must be a number';
};

const amount = () =>
  z.number({
    error: ({ input }) => (typeof input === 'string' ? textMessage(input) : 'Must be a number'),
  });

const pricing = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('fixed'), amount: amount() }),
    z.strictObject({
      type: z.literal('free'),
      minimum: z.optional(amount()),
      suggested: z.optional(amount()),
    }),
  ],
  'Must be of type fixed or free',
);

const AMOUNTS = ['amount', 'minimum', 'suggested'] as const;

const invalidAmounts = ({
  currency,
  pricing: price,
}: Pick<Product, 'currency' | 'pricing'>): InvalidField[] => {
  const amounts: Partial<Record<(typeof AMOUNTS)[number], number | undefined>> = price;
  const issues = AMOUNTS.flatMap((name) => {
    const value = amounts[name];
    // The decimals of an invalid currency are unknown.
    if (value === undefined || !CURRENCIES.has(currency)) return [];
    const message = value < 0 ? NOT_NEGATIVE : amountIssue(value, currency);
    return message === undefined ? [] : [{ path: `pricing.${name}`, message }];
  });
  const { minimum = -Infinity, suggested = Infinity } = amounts;
  if (suggested < minimum) {
    issues.push({ path: 'pricing.suggested', message: 'Must be at least the minimum' });
  }
  return issues;
};

/** A product from an operator. */
const productSchema = z
  .strictObject(
    {
      id: id(),
      storeId: id(),
      name: readableName(),
      available: z.optional(z.boolean('Must be true or false')),
      currency: string().check(
        z.refine((code) => CURRENCIES.has(code), 'Must be a currency of ISO 4217, such as EUR'),
      ),
      pricing,
    },
    'Must be a product',
  )
  .check(({ value, issues }) => {
    for (const { path, message } of invalidAmounts(value)) {
      issues.push({ code: 'custom', input: value, path: path.split('.'), message });
    }
  });

type ParsedProduct =
  | { readonly ok: true; readonly product: Product }
  | { readonly ok: false; readonly issues: readonly InvalidField[] };

/** Validates a product from an operator. `available` defaults to `true`. */
export const parseProduct = (value: unknown): ParsedProduct => {
  const parsed = productSchema.safeParse(value);
  if (parsed.success) {
    const { available = true, ...product } = parsed.data;
    return { ok: true, product: { ...product, available } };
  }
  return {
    ok: false,
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.join('.'),
      message: issue.code === 'unrecognized_keys' ? `Has an unknown field ${issue.keys[0]}` : issue.message,
    })),
  };
};
