import type { ApiKeyStore, ReadApiKey } from '../../../lib/api-keys/api-key-store.ts';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Context } from '../command.ts';
import type { Stage } from '../stage.ts';

export const unknownKey = (keyId: string): OperatorError => new OperatorError(`No key has the id ${keyId}.`);

/** The error for a key that is revoked or expired. */
export const endedKey = (keyId: string): OperatorError =>
  new OperatorError(`The key ${keyId} is revoked or expired: issue a new one.`);

/** The sentence about a key whose item is invalid. */
export const unreadableKey = (keyId: string): string =>
  `${keyId} is stored in an invalid form and works nowhere.`;

/** 8 digits are unambiguous among some thousand keys. */
const DIGITS_MIN = 8;

/** Makes a function that shortens a key id to a prefix that no other of these keys has. */
export const shortenAmong = (keys: readonly Pick<ReadApiKey, 'keyId'>[]): ((keyId: string) => string) => {
  const ids = keys.map(({ keyId }) => keyId);
  let digits = DIGITS_MIN;
  while (new Set(ids.map((id) => id.slice(0, digits))).size < new Set(ids).size) digits += 1;
  return (keyId) => keyId.slice(0, digits);
};

const KEY_ID_DIGITS = 64;

/** The most keys that the message about an ambiguous prefix names. */
const CANDIDATES_MAX = 10;

const ambiguousPrefix = (prefix: string, candidates: readonly ReadApiKey[]): OperatorError => {
  const shorten = shortenAmong(candidates);
  const named = candidates.slice(0, CANDIDATES_MAX).map(({ keyId, key }) => {
    return key ? `${shorten(keyId)} (${key.mode} key of ${key.storeId})` : shorten(keyId);
  });
  const others = candidates.length - named.length;
  const list = [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  return new OperatorError(`${candidates.length} keys have an id that begins with ${prefix}: ${list}.`);
};

/** Finds a key by the beginning of its id. Reads the whole table of keys. */
const findByPrefix = async (apiKeys: ApiKeyStore, prefix: string): Promise<ReadApiKey> => {
  const candidates = (await apiKeys.list())
    .filter(({ keyId }) => keyId.startsWith(prefix))
    .toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const [found] = candidates;
  if (!found) throw new OperatorError(`No key has an id that begins with ${prefix}.`);
  if (candidates.length > 1) throw ambiguousPrefix(prefix, candidates);
  return found;
};

/**
 * Finds a key by its id, or by the beginning of its id. `key` is missing if its item is invalid. The read corrects the clock.
 *
 * @throws OperatorError if there is no such key, or if there are several
 */
export const findKey = async (idOrPrefix: string, { stores: { apiKeys } }: Context): Promise<ReadApiKey> => {
  if (idOrPrefix.length < KEY_ID_DIGITS) return findByPrefix(apiKeys, idOrPrefix);
  const found = await apiKeys.find(idOrPrefix);
  if (!found) throw unknownKey(idOrPrefix);
  return found;
};

/**
 * Finds a key that still works.
 *
 * @throws OperatorError as {@link findKey} does, and if the key is revoked, expired or stored in an invalid form
 */
export const findUsableKey = async (idOrPrefix: string, context: Context): Promise<StoredApiKey> => {
  const { keyId, key } = await findKey(idOrPrefix, context);
  if (!key) throw new OperatorError(`${unreadableKey(keyId)} Revoke it, and issue a new one.`);
  if (!isUsable(key, context.now())) throw endedKey(keyId);
  return key;
};

/** Describes a key in a question, by its mode, store and stage. */
export const describeKey = (
  keyId: string,
  key: Pick<StoredApiKey, 'mode' | 'storeId'> | undefined,
  { name }: Stage,
): string => {
  const shortId = keyId.slice(0, 8);
  const description = key ? `the ${key.mode} key ${shortId} of ${key.storeId}` : `the key ${shortId}`;
  return `${description} on the stage ${name}`;
};
