import { type ApiKeyStore, createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { printable } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Host } from '../options.ts';
import { findStage, type StageFlags } from '../stage.ts';

/** A stored key of a stage. `key` is missing if its item is invalid. */
interface FoundKey {
  readonly stageName: string;
  readonly apiKeys: ApiKeyStore;
  readonly keyId: string;
  readonly key: StoredApiKey | undefined;
}

/** Finds the keys of the stage that a command works on. */
export const findKeys = async (
  { clock }: Host,
  flags: StageFlags,
): Promise<Pick<FoundKey, 'stageName' | 'apiKeys'>> => {
  const { name, documents, tableNames } = await findStage(flags, clock);
  return { stageName: name, apiKeys: createApiKeyStore(documents, tableNames.apiKeys) };
};

export const unknownKey = (keyId: string): OperatorError => new OperatorError(`No key has the id ${keyId}.`);

/**
 * Finds a key by its id. The read corrects the host's clock.
 *
 * @throws OperatorError if there is none. The message never repeats an invalid id: it may be an API key
 */
export const findKey = async (host: Host, keyId: string, flags: StageFlags): Promise<FoundKey> => {
  if (!/^[0-9a-f]{64}$/.test(keyId)) {
    throw new OperatorError('A key id has 64 hexadecimal digits: find it with `keys list`.');
  }
  const keys = await findKeys(host, flags);
  const found = await keys.apiKeys.find(keyId);
  if (!found) throw unknownKey(keyId);
  return { ...keys, ...found };
};

/** The error for a key that is revoked or expired. */
export const endedKey = (keyId: string): OperatorError =>
  new OperatorError(`The key ${keyId} is revoked or expired: issue a new one.`);

/** The sentence about a key whose item is invalid. */
export const unreadableKey = (keyId: string): string =>
  `${printable(keyId)} is stored in an invalid form and works nowhere.`;

/**
 * Finds a key that still works.
 *
 * @throws OperatorError as {@link findKey} does, and if the key is revoked, expired or stored in an invalid form
 */
export const findUsableKey = async (
  host: Host,
  keyId: string,
  flags: StageFlags,
): Promise<FoundKey & { readonly key: StoredApiKey }> => {
  const { key, ...found } = await findKey(host, keyId, flags);
  if (!key) throw new OperatorError(`${unreadableKey(keyId)} Revoke it, and issue a new one.`);
  if (!isUsable(key, host.now())) throw endedKey(keyId);
  return { ...found, key };
};

/** Describes a key in a question, by its mode, store and stage. */
export const describeKey = ({ keyId, key, stageName }: FoundKey): string => {
  const shortId = keyId.slice(0, 8);
  const description = key ? `the ${key.mode} key ${shortId} of ${key.storeId}` : `the key ${shortId}`;
  return printable(`${description} on the stage ${stageName}`);
};
