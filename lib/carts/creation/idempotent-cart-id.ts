import { keyedHash } from '../../idempotency/keyed-hash.ts';
import type { StoreMode } from '../../stores/mode.ts';

/**
 * The cart id of an idempotency key, by which a retry finds its cart. It is a UUIDv4 (RFC 9562, 5.4). Its pseudorandom bits are
 * the {@link keyedHash} of store, mode and idempotency key.
 */
export const idempotentCartId = (
  secret: Uint8Array,
  { storeId, mode }: StoreMode,
  idempotencyKey: string,
): string => {
  const bytes = keyedHash(secret, [storeId, mode, idempotencyKey]).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
