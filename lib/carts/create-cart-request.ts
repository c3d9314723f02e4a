import * as z from 'zod/mini';
import { string, text } from '../text.ts';
import { isRedirectUrl, REDIRECT_URL_BOUNDS } from './redirect-url.ts';

const EMAIL_LENGTH_MAX = 254;
const META_ENTRIES_MAX = 50;

/** An event with the cart then has at most 128 KiB. Only control characters exceed this: JSON has 6 bytes for each. */
const META_BYTES_MAX = 125 * 1_024;

/**
 * An e-mail address of RFC 5321, 4.1.2: a local part of atoms, then a host name of at least two labels. zod's own pattern
 * rejects internationalised labels (`xn--`) and some characters of atoms.
 */
const EMAIL =
  /^[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+(?:\.[A-Za-z0-9_!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** Checks the length before the pattern, which limits the pattern's work. */
const email = z.string('Must be an e-mail address').check(
  z.maxLength(EMAIL_LENGTH_MAX, {
    error: `Must have at most ${EMAIL_LENGTH_MAX} characters`,
    abort: true,
  }),
  z.regex(EMAIL, 'Must be an e-mail address'),
  z.meta({ format: 'email' }),
);

const NAME_CHARACTERS_MAX = 100;

// JSON Schema cannot express a trim. The pattern allows white space around the name.
const trimmedName = z
  .pipe(string().check(z.trim()), text(1, NAME_CHARACTERS_MAX))
  .check(z.meta({ pattern: `^\\s*\\S(?:[\\s\\S]{0,${NAME_CHARACTERS_MAX - 2}}\\S)?\\s*$` }));

// zod validates every entry of a record before the record's own checks, so this counts the entries first.
const meta = z.pipe(
  z.transform((value, { issues }) => {
    if (typeof value === 'object' && Object.keys(value ?? {}).length > META_ENTRIES_MAX) {
      issues.push({ code: 'custom', input: value, message: `Must have at most ${META_ENTRIES_MAX} entries` });
    }
    return value;
  }),
  z.record(text(1, 40), text(0, 500), 'Must be an object').check(
    z.refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= META_BYTES_MAX,
      `Must have at most ${META_BYTES_MAX} bytes as JSON`,
    ),
    z.meta({ maxProperties: META_ENTRIES_MAX }),
  ),
);

/** The body of a create request (`docs/contract.md`, "Create request"). It drops unknown fields. */
export const createCartRequestSchema = z.object(
  {
    productDocumentId: string().check(
      z.regex(/^[A-Za-z0-9_-]{1,128}$/, 'Must be 1 to 128 letters, digits, _ or -'),
    ),
    email,
    firstName: trimmedName,
    lastName: trimmedName,
    phone: z.optional(text(0, 32)),
    redirectURL: z.optional(
      string().check(
        z.refine(isRedirectUrl, 'Must be an absolute http(s) address'),
        z.meta(REDIRECT_URL_BOUNDS),
      ),
    ),
    meta: z.optional(meta),
    customerPrice: z.optional(z.number('Must be a finite number').check(z.positive('Must be above 0'))),
  },
  'Must be a JSON object',
);

export type CreateCartRequest = z.output<typeof createCartRequestSchema>;
