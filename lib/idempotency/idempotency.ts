import { createHmac, hash } from 'node:crypto';
import * as z from 'zod/mini';
import { string } from '../schemas/input-fields.ts';

/**
 * The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Its bounds are a decision of this service. White
 * space at the ends is no part of a header's value (RFC 9110, 5.5), whether or not the gateway has removed it.
 */
export const idempotencyKeySchema = string().check(
  z.overwrite((key) => (/^[\t\x20-\x7e]*$/.test(key) ? key.trim() : key)),
  z.regex(/^[\x20-\x7e]{1,255}$/, 'Must be 1 to 255 printable ASCII characters'),
  z.meta({ minLength: 1, maxLength: 255 }),
);

/** The names of the header in other APIs (`lib/requests/vocabulary.ts`). */
export const IDEMPOTENCY_WORDS = 'idempotency idempotencytoken idempotencyid idempotentkey paypalrequestid';

/** The HMAC-SHA256 of texts under a secret of the stage. Nobody without the secret can compute it. */
export const keyedHash = (secret: Uint8Array, texts: readonly string[]): Buffer =>
  // JSON separates the texts unambiguously.
  createHmac('sha256', secret).update(JSON.stringify(texts)).digest();

/** A copy of a value that sorts every object's fields. */
const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([field, part]) => [field, sorted(part)]));
};

/**
 * The fingerprint of a request's values: their SHA-256, in base64url. It distinguishes a retry from another request with the
 * same idempotency key. The order of fields does not matter, and undefined equals absent.
 *
 * Carts and endpoints store it, so the fingerprint of the same values must never change.
 */
export const fingerprintOf = (values: unknown): string =>
  hash('sha256', JSON.stringify(sorted(values)), 'base64url');
