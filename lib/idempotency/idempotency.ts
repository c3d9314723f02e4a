import { createHmac, hash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Mode } from '../stores/mode.ts';
import { string } from '../core/text.ts';

/**
 * The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header). Its bounds are a decision of this service.
 */
export const idempotencyKeySchema = string().check(
  z.regex(/^[\x20-\x7e]{1,255}$/, 'Must be 1 to 255 printable ASCII characters'),
  z.meta({ minLength: 1, maxLength: 255 }),
);

/** The names of the header in other APIs (`lib/core/unknown-names.ts`). */
export const IDEMPOTENCY_WORDS = 'idempotency idempotencytoken idempotencyid idempotentkey paypalrequestid';

/** The requests that share idempotency keys: those of a store's API keys of one mode. */
interface IdempotencyScope {
  readonly storeId: string;
  readonly mode: Mode;
}

/** The HMAC-SHA256 of texts under a secret of the stage. Nobody without the secret can compute it. */
export const keyedHash = (secret: Uint8Array, texts: readonly string[]): Buffer =>
  // JSON separates the texts unambiguously.
  createHmac('sha256', secret).update(JSON.stringify(texts)).digest();

/**
 * The cart id of an idempotency key, by which a retry finds its cart. It is a UUIDv4 (RFC 9562, 5.4). Its pseudorandom bits are
 * the {@link keyedHash} of store, mode and idempotency key.
 */
export const idempotentCartId = (
  secret: Uint8Array,
  { storeId, mode }: IdempotencyScope,
  idempotencyKey: string,
): string => {
  const bytes = keyedHash(secret, [storeId, mode, idempotencyKey]).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

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
