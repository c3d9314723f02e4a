import { hash } from 'node:crypto';

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
