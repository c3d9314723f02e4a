import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { ReadApiKey } from '../../../lib/operators/api-key-repository.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Context } from '../frame/context.ts';

/** The error for a key that is revoked or expired. */
export const endedKey = (keyId: string): OperatorError =>
  new OperatorError(`The key ${keyId} is revoked or expired: issue a new one.`);

/** The sentence about a key whose item is invalid. */
export const unreadableKey = (keyId: string): string =>
  `${keyId} is stored in an invalid form and works nowhere.`;

/** The digits of a whole id. */
const ID_DIGITS = 64;

/**
 * Finds a key by its id, or by the beginning of its id, for which it reads the whole table of keys.
 * `key` is missing if its item is invalid.
 *
 * @throws OperatorError if there is no such key, or if there are several
 */
export const findKey = async (
  prefix: string,
  { repositories: { apiKeys } }: Context,
): Promise<ReadApiKey> => {
  if (prefix.length === ID_DIGITS) {
    // A revocation must work without the right to scan, and while scans fail.
    const whole = await apiKeys.find(prefix);
    if (whole) return whole;
    throw new OperatorError(`No key has the id ${prefix}.`);
  }
  const found = (await apiKeys.list()).filter(({ keyId }) => keyId.startsWith(prefix));
  const [first, ...others] = found;
  if (!first) throw new OperatorError(`No key has an id that begins with ${prefix}.`);
  if (others.length === 0) return first;
  throw new OperatorError(
    `${found.length} keys have an id that begins with ${prefix}: pass more digits, from \`keys list --json\`.`,
  );
};

/**
 * Finds a key that still works.
 *
 * @throws OperatorError as {@link findKey} does, and if the key is revoked, expired or stored in an invalid form
 */
export const findUsableKey = async (prefix: string, context: Context): Promise<StoredApiKey> => {
  const { keyId, key } = await findKey(prefix, context);
  if (!key) throw new OperatorError(`${unreadableKey(keyId)} Revoke it, and issue a new one.`);
  if (!isUsable(key, context.now())) throw endedKey(keyId);
  return key;
};
