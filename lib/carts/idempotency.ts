import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { string } from '../text.ts';
import type { CreateCartRequest } from './create-cart-request.ts';

/** RFC draft-ietf-httpapi-idempotency-key-header names the header; its bounds are ours: 1-255 printable ASCII. */
export const idempotencyKeySchema = string().check(
  z.regex(/^[\x20-\x7e]{1,255}$/, 'Must be 1 to 255 printable ASCII characters'),
);

/**
 * The id of a cart that is made with an idempotency key: a UUIDv8 (RFC 9562, 5.8) from
 * HMAC-SHA256(key: the API key's text, message: the idempotency key). A retry finds its cart by it, and nobody without the
 * API key can compute it.
 */
export const idempotentCartId = (secret: string, idempotencyKey: string): string => {
  const bytes = createHmac('sha256', secret).update(idempotencyKey).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
};

/**
 * Tells a retry from another request under the same idempotency key: equal for requests that ask for the same cart,
 * whatever the order of their fields, and different for all others. SHA-256 in base64url.
 */
export const requestFingerprint = (request: CreateCartRequest): string => {
  const { productDocumentId, email, firstName, lastName, phone, redirectURL, customerPrice } = request;
  const metaEntries = Object.entries(request.meta ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fields = [
    productDocumentId,
    email,
    firstName,
    lastName,
    phone,
    redirectURL,
    customerPrice,
    metaEntries,
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
};
