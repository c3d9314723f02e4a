import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, randomBase62 } from '../core/base62.ts';
import type { Mode } from '../stores/mode.ts';
import type { BucketLimits } from '../token-bucket/token-bucket.ts';

/** The part of a stored API key that requests need. The key's text is never stored. */
export interface ApiKey extends BucketLimits {
  /** The SHA-256 of the key's text in hex: its id in tables and the command line. Log lines have its first digits. */
  readonly keyId: string;
  readonly storeId: string;
  readonly mode: Mode;
  /** The locale (language-REGION) of a buyer whose request has none. */
  readonly lang?: string | undefined;
}

/** DynamoDB accepts 1,000 writes a second to one item, and each request writes its key's item once. */
export const KEY_REQUESTS_PER_SECOND_MAX = 1_000;

const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY_FORMAT = /^cck_(?:test|live)_[0-9A-Za-z]{38}$/;

const KEY_LENGTH = 'cck_test_'.length + SECRET_LENGTH + CHECKSUM_LENGTH;

/** The CRC32 of a text in six base62 digits. They hold any 32-bit number, because 62^6 > 2^32. */
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
 * Generates the text of a key: `cck_{mode}_`, 32 base62 characters (190 bits), and a checksum of both.
 *
 * @param randomBelow draws a uniform integer from 0 to below its argument, by default from a CSPRNG
 */
export const generateApiKey = (mode: Mode, randomBelow?: (max: number) => number): string =>
  withChecksum(`cck_${mode}_${randomBase62(SECRET_LENGTH, randomBelow)}`);

/** Adds the checksum to `cck_{mode}_` and 32 base62 characters, which makes a well-formed key. */
export const withChecksum = (prefixAndSecret: string): string => prefixAndSecret + checksum(prefixAndSecret);

/** Whether a text has a key's form and the right checksum. It detects a mistyped key without a database call. */
export const isWellFormedApiKey = (text: string): boolean =>
  KEY_FORMAT.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));

/**
 * Says why a text is no well-formed key. The sentence repeats nothing of the text. `undefined` for a well-formed key, even if no
 * such key exists.
 */
export const keyFormIssue = (text: string): string | undefined => {
  if (isWellFormedApiKey(text)) return undefined;
  if (text === '') return 'The key is missing after Bearer';
  if (/^(?:undefined|null|none|false)$/i.test(text)) return 'The key has no value: is its variable set?';
  if (/^Bearer\b/i.test(text)) return 'Bearer is sent twice';
  if (/\s/.test(text)) return 'The key must have no white space';
  if (/["'`<>{}$]/.test(text)) return 'The key must have no quotes, brackets or placeholders';
  if (text.startsWith('whsec_')) return 'This is the secret of a webhook endpoint, not an API key';
  if (!/^cck_(?:test|live)_/.test(text)) return 'An API key begins with cck_test_ or cck_live_';
  if (text.length !== KEY_LENGTH) return `The key is too ${text.length < KEY_LENGTH ? 'short' : 'long'}`;
  return 'The key has a typo';
};

/** The mode of a well-formed key, by its prefix. */
export const modeOf = (keyText: string): Mode => (keyText.startsWith('cck_test_') ? 'test' : 'live');

/**
 * The number of digits of a key's id in a log line. The operators' commands accept these digits. Among 10,000 keys, two share
 * them with a probability of 1 in 5 million.
 */
export const LOGGED_KEY_ID_DIGITS = 12;

/** The id of a key: the SHA-256 of its text in hex. */
export const apiKeyId = (keyText: string): string => hash('sha256', keyText);

/** The beginning of the id of an API key, as in log lines. */
export const shownKeyId = ({ keyId }: Pick<ApiKey, 'keyId'>): string => keyId.slice(0, LOGGED_KEY_ID_DIGITS);
