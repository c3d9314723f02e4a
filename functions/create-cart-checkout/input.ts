import * as z from 'zod/mini';
import type { CartOrder } from '../../lib/carts/creation/create-cart.ts';
import { findHarmfulValues } from '../../lib/carts/creation/harmful-request-values.ts';
import { CART_FOREIGN_NAMES } from '../../lib/carts/request/cart-foreign-names.ts';
import { createCartRequestSchema } from '../../lib/carts/request/create-cart-request.ts';
import { statedPrices } from '../../lib/carts/request/stated-prices.ts';
import { preferredLocale } from '../../lib/core/locale.ts';
import { namesIn, type ParseInput, parseWith } from '../../lib/http/operation-input.ts';
import { idempotencyKeySchema } from '../../lib/idempotency/idempotency-key.ts';
import { type FindTestModeIssues, unknownNames } from '../../lib/requests/unknown-names.ts';

/** The parts of a request, and the input of the operation. */
const inputSchema = z.pipe(
  z.object({
    headers: z.object({
      'idempotency-key': z.optional(idempotencyKeySchema),
      'accept-language': z.optional(z.string()),
    }),
    body: createCartRequestSchema,
  }),
  z.transform(({ headers, body }) => ({
    idempotencyKey: headers['idempotency-key'],
    lang: preferredLocale(headers['accept-language']),
    request: body,
  })),
);

const names = namesIn(inputSchema);

/** The fields of the body. */
export const bodyFields = names.body;

const findUnknownNames = unknownNames(names, CART_FOREIGN_NAMES);

/** The issues that only test mode rejects. */
export const findTestModeIssues: FindTestModeIssues = (request) => [
  ...findUnknownNames(request),
  ...findHarmfulValues(request.body),
];

/** Reads the operation's input. In test mode, it has the prices in fields of other APIs too. */
export const parse: ParseInput<z.output<typeof inputSchema> & Pick<CartOrder, 'statedPrices'>> = (
  parts,
  mode,
) => {
  const parsed = parseWith(inputSchema, parts);
  if (!parsed.ok || mode === 'live') return parsed;
  return { ...parsed, input: { ...parsed.input, statedPrices: statedPrices(parts.body) } };
};

/** Validates a request without an effect. The first validation takes 2 ms of CPU, because V8 compiles its code. */
export const validateOnce = (productDocumentId: string): void => {
  const buyer = { email: 'a@example.com', firstName: 'A', lastName: 'B' };
  const body = { productDocumentId, ...buyer, redirectURL: 'https://example.com', meta: { a: 'b' } };
  parseWith(inputSchema, { headers: {}, body });
  findTestModeIssues({ body, query: {}, headers: {} });
  statedPrices(body);
};
