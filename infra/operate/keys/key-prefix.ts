import type { ReadApiKey } from '../../../lib/api-keys/api-key-store.ts';

/** 8 digits are unambiguous among some thousand keys. */
const DIGITS_MIN = 8;

/** Makes a function that shortens a key id to a prefix that no other of these keys has. */
export const shortenAmong = (keys: readonly Pick<ReadApiKey, 'keyId'>[]): ((keyId: string) => string) => {
  const ids = keys.map(({ keyId }) => keyId);
  let digits = DIGITS_MIN;
  while (new Set(ids.map((id) => id.slice(0, digits))).size < new Set(ids).size) digits += 1;
  return (keyId) => keyId.slice(0, digits);
};
