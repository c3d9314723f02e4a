import { createHmac, randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** A cart id as it is stored, from one as it was sent: RFC 9562 reads either case; `undefined` if it is no UUID. */
export const parseCartId = (text: string | undefined): string | undefined => {
  const id = text?.toLowerCase();
  return id !== undefined && UUID.test(id) ? id : undefined;
};

/** The id of a cart that is made without an idempotency key. */
export const randomCartId = (): string => randomUUID();

/**
 * The id of a cart that is made with an idempotency key: a UUIDv8 (RFC 9562, 5.8) from
 * HMAC-SHA256(key: the API key, message: the idempotency key). A retry finds its cart by it, and nobody without the
 * API key can compute it.
 */
export const idempotentCartId = (apiKey: string, idempotencyKey: string): string => {
  const bytes = createHmac('sha256', apiKey).update(idempotencyKey).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
