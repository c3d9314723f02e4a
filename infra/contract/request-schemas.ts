import * as z from 'zod/mini';
import { createCartRequestSchema } from '../../lib/carts/create-cart-request.ts';
import { idempotencyKeySchema } from '../../lib/carts/idempotency.ts';
import { type Json, jsonSchemaOf, withProperties } from './json-schema.ts';

// Classes are spelled out, because engines other than ECMAScript's take \s and \w for other characters.
/** What `String.prototype.trim` removes (ECMA-262, "WhiteSpace" and "LineTerminator"). */
const SPACE = '\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** 1 to 100 characters between white space. */
const NAME = `^[${SPACE}]*[^${SPACE}](?:[\\s\\S]{0,98}[^${SPACE}])?[${SPACE}]*$`;

/** What an address must look like; beyond that, it must be one that the URL standard can parse. */
const REDIRECT_URL = `^[Hh][Tt][Tt][Pp][Ss]?://[^${SPACE}${CONTROL}\\\\/?#@]+(?:[/?#][^${SPACE}${CONTROL}\\\\]*)?$`;

const requestSchema = jsonSchemaOf(createCartRequestSchema);

const emailPattern = (): string => {
  const { email } = requestSchema['properties'] as Record<string, { readonly pattern?: string }>;
  return String(email?.pattern).replaceAll('\\w', 'A-Za-z0-9_');
};

/** The refinements of the running schema, which JSON Schema cannot see; a property test holds both together. */
const REFINEMENTS = {
  email: { pattern: emailPattern() },
  name: { pattern: NAME },
  phone: { maxLength: 32 },
  redirectURL: {
    maxLength: 2_048,
    pattern: REDIRECT_URL,
    // A URI has no braces.
    anyOf: [
      { format: 'uri' },
      { format: 'uri-template', description: 'With the placeholder `{CART_ID}`', 'x-extension': true },
    ],
  },
  meta: {
    maxProperties: 50,
    propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
    additionalProperties: { type: 'string', maxLength: 500 },
  },
} as const;

/** CreateCartCheckoutRequest of the document. Its formats are annotations: the patterns say what is taken. */
export const createCartCheckoutRequest: Json = {
  description:
    'Unknown fields are ignored and never stored. Lengths count Unicode code points; every text is well-formed Unicode.',
  ...withProperties(requestSchema, {
    productDocumentId: { description: 'Public identifier of the product' },
    email: { description: "Buyer's e-mail", ...REFINEMENTS.email },
    firstName: { description: "Buyer's first name", ...REFINEMENTS.name },
    lastName: { description: "Buyer's last name", ...REFINEMENTS.name },
    phone: { description: "Buyer's telephone number", ...REFINEMENTS.phone },
    redirectURL: {
      description:
        'Where the buyer is sent after payment. Spelled with capital URL in the request. Absolute, http or https, without userinfo. It may hold the placeholder `{CART_ID}`; without it, the buyer comes back with `cartId` and `status` added to the query.',
      ...REFINEMENTS.redirectURL,
    },
    meta: { description: 'Custom metadata attached to the cart', ...REFINEMENTS.meta },
    customerPrice: {
      description:
        "Amount chosen by the buyer, for a free-pricing product. At most the currency's decimals, at most 15 digits, and at least the product's minimum. Absent: the product's suggested price, if it has one. Refused on a fixed-price product.",
    },
  }),
};

/**
 * The request headers and path parameters, by operation. The idempotency key has no example: the docs page would send it
 * with every request, and the second one would be refused.
 */
export const PARAMETERS = {
  createCartCheckout: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Makes a retry safe: the same request with the same key is answered the cart that the first one made; another request, 422. Remembered per API key, as long as the cart exists. For example `order-2026-000123`.',
      schema: jsonSchemaOf(idempotencyKeySchema),
      'x-extension': true,
    },
    {
      name: 'Accept-Language',
      in: 'header',
      description:
        "Its first language-REGION tag becomes the buyer's `lang`; else the API key's default does.",
      schema: { ...jsonSchemaOf(z.string()), examples: ['fr-CA, fr;q=0.9'] },
      'x-extension': true,
    },
  ],
  getCart: [
    {
      name: 'cartId',
      in: 'path',
      required: true,
      description: 'identifier of the cart',
      schema: { type: 'string', minLength: 1, examples: ['3f8dc76d-3e37-4cd4-8f8a-9eebedf66201'] },
    },
  ],
} as const;
