import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { BucketLimits } from './token-bucket.ts';

/** Test keys create test carts, which cost nobody money; live keys create live carts. Neither sees the other's. */
export type Mode = 'test' | 'live';

/** A stored API key, as far as requests need it. The key's text itself is stored nowhere. */
export interface ApiKey extends BucketLimits {
  /** The SHA-256 of the key's text in hex: its name in tables, logs and the command line. */
  readonly keyId: string;
  readonly storeId: string;
  readonly mode: Mode;
  /** The locale (language-REGION) of buyers whose request names none. */
  readonly lang?: string | undefined;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY_FORMAT = /^cck_(?:test|live)_[0-9A-Za-z]{38}$/;

/** The CRC32 of a text, in six base62 digits: enough for any 32-bit number, since 62^6 > 2^32. */
const checksum = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};

/**
 * Makes the text of a new key: `cck_{mode}_`, 32 base62 characters (190 bits), a checksum of all before it.
 *
 * @param randomBelow draws an integer from 0 to below its argument, evenly; a CSPRNG unless a test passes its own
 */
export const generateApiKey = (mode: Mode, randomBelow: (max: number) => number = randomInt): string => {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62.charAt(randomBelow(62))).join('');
  return withChecksum(`cck_${mode}_${secret}`);
};

/** Completes `cck_{mode}_` and 32 base62 characters to a well-formed key. */
export const withChecksum = (prefixAndSecret: string): string => prefixAndSecret + checksum(prefixAndSecret);

/** Whether a text has a key's shape and its checksum holds; a typing error is found without asking the database. */
export const isWellFormedApiKey = (text: string): boolean =>
  KEY_FORMAT.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));

/** The id under which a key is stored: its SHA-256 in hex. */
export const apiKeyId = (secret: string): string => createHash('sha256').update(secret).digest('hex');
