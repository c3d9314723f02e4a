import * as z from 'zod/mini';
import { LANGUAGE_REGION, parseLocale } from '../../core/locale.ts';
import { PRODUCT_ID } from '../../products/product.ts';
import {
  type Cause,
  MUST_BE_STRING,
  optional,
  requiredString,
  string,
  text,
} from '../../schemas/input-fields.ts';
import { CART_EXPIRY_MINUTES } from '../../settings/cart-expiry.ts';
import { RETURN_URL_BOUNDS, returnUrlIssue } from './return-url.ts';

const EMAIL_LENGTH_MAX = 254;

/**
 * An e-mail address of RFC 5321, 4.1.2: a local part of atoms, then a host name of at least two labels. zod's own pattern
 * rejects internationalised labels (`xn--`) and some characters of atoms.
 */
const EMAIL =
  /^[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+(?:\.[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** Says what to do about an international address, which is no `format: email` of OpenAPI. */
const emailMessage = ({ input }: Cause): string =>
  /[^\p{ASCII}]/u.test(String(input))
    ? 'Must be an e-mail address of ASCII characters: send an international domain as xn--…, in Punycode'
    : 'Must be an e-mail address';

/** Checks the length before the pattern, which limits the pattern's work. */
const email = requiredString('Must be an e-mail address').check(
  z.trim(),
  z.maxLength(EMAIL_LENGTH_MAX, {
    error: `Must have at most ${EMAIL_LENGTH_MAX} characters`,
    abort: true,
  }),
  z.regex(EMAIL, { error: emailMessage }),
  // The length in JSON Schema includes the white space. The service measures the trimmed address.
  z.meta({ format: 'email', pattern: `^\\s*${EMAIL.source.slice(1, -1)}\\s*$` }),
);

const NAME_CHARACTERS_MAX = 100;

// JSON Schema cannot express a trim. The pattern allows white space around the name.
const trimmedName = z
  .pipe(requiredString().check(z.trim()), text(1, NAME_CHARACTERS_MAX))
  .check(z.meta({ pattern: `^\\s*\\S(?:[\\s\\S]{0,${NAME_CHARACTERS_MAX - 2}}\\S)?\\s*$` }));

/** An empty number counts as absent, because forms send one. */
const phone = z.pipe(
  text(0, 32),
  z.transform((value) => (value === '' ? undefined : value)),
);

/** The buyer's locale, in the case of `fr-CA`. */
const lang = string('Must be a language and a region, such as fr-CA').check(
  z.regex(LANGUAGE_REGION, 'Must be a language and a region, such as fr-CA'),
  z.overwrite((tag) => parseLocale(tag) ?? tag),
);

const returnUrl = string().check(({ value, issues }) => {
  const message = returnUrlIssue(value);
  if (message !== undefined) issues.push({ code: 'custom', input: value, message });
}, z.meta(RETURN_URL_BOUNDS));

const META_ENTRIES_MAX = 50;

/**
 * An event with the cart and its refunds then has at most 160 KiB (`docs/events.md`, "Webhooks"). Only control characters
 * reach this bound: JSON has 6 bytes for each.
 */
const META_BYTES_MAX = 125 * 1_024;

/** Shows the string to send instead of a number or a boolean, unless the number has lost digits. */
const metaValueMessage = ({ input }: Cause): string => {
  const isExact = typeof input === 'number' && Math.abs(input) <= Number.MAX_SAFE_INTEGER;
  return isExact || typeof input === 'boolean'
    ? `${MUST_BE_STRING}: send "${input}", not ${input}`
    : MUST_BE_STRING;
};

// zod validates every entry of a record before the record's own checks, so this counts the entries first.
const meta = z.pipe(
  z.transform((value, { issues }) => {
    if (typeof value === 'object' && Object.keys(value ?? {}).length > META_ENTRIES_MAX) {
      issues.push({ code: 'custom', input: value, message: `Must have at most ${META_ENTRIES_MAX} entries` });
    }
    // PHP encodes an empty map as an empty array.
    return Array.isArray(value) && value.length === 0 ? {} : value;
  }),
  z.record(text(1, 40), text(0, 500, metaValueMessage), 'Must be an object').check(
    z.refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= META_BYTES_MAX,
      `Must have at most ${META_BYTES_MAX} bytes as JSON`,
    ),
    z.meta({ maxProperties: META_ENTRIES_MAX }),
  ),
);

const numberMessage = ({ input }: Cause): string =>
  typeof input === 'string' ? 'Must be a number, not a string' : 'Must be a finite number';

const { min: EXPIRES_IN_MINUTES_MIN, max: EXPIRES_IN_MINUTES_MAX } = CART_EXPIRY_MINUTES;

const expiresInMinutes = z
  .number({ error: numberMessage })
  .check(
    z.multipleOf(1, 'Must be a whole number of minutes'),
    z.minimum(EXPIRES_IN_MINUTES_MIN, `Must be at least ${EXPIRES_IN_MINUTES_MIN}`),
    z.maximum(EXPIRES_IN_MINUTES_MAX, `Must be at most ${EXPIRES_IN_MINUTES_MAX}`),
  );

/** The body of a create request (`docs/contract.md`, "Create request"). It drops unknown fields. */
export const createCartRequestSchema = z.object(
  {
    productDocumentId: requiredString().check(
      z.regex(PRODUCT_ID, 'Must be 1 to 128 letters, digits, _ or -'),
      z.meta({ minLength: 1, maxLength: 128 }),
    ),
    email,
    firstName: trimmedName,
    lastName: trimmedName,
    phone: optional(phone),
    lang: optional(lang),
    redirectURL: optional(returnUrl),
    cancelURL: optional(returnUrl),
    meta: optional(meta),
    expiresInMinutes: optional(expiresInMinutes),
    customerPrice: optional(z.number({ error: numberMessage }).check(z.positive('Must be above 0'))),
  },
  'Must be a JSON object',
);

export type CreateCartRequest = z.output<typeof createCartRequestSchema>;
