import { type ApiKeyStore, createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { OperatorError } from '../../operator-error.ts';
import { printable } from '../output.ts';
import { findStage, type StageFlags } from '../stage.ts';

/** The keys of a stage. */
export interface StageKeys {
  readonly stageName: string;
  readonly apiKeys: ApiKeyStore;
}

/** A key that is there, with the keys of its stage; `key` is missing where its item was edited into nonsense. */
export interface FoundKey extends StageKeys {
  readonly keyId: string;
  readonly key: StoredApiKey | undefined;
}

/** Finds the keys of the stage that a command works on. */
export const findKeys = async (flags: StageFlags): Promise<StageKeys> => {
  const { name, documents, tableNames } = await findStage(flags);
  return { stageName: name, apiKeys: createApiKeyStore(documents, tableNames.apiKeys) };
};

/** What a command says of an id that no key has. */
export const unknownKey = (keyId: string): OperatorError => new OperatorError(`No key has the id ${keyId}.`);

/**
 * Finds the key that a command is about.
 *
 * @throws OperatorError if there is none; what is no key id is not repeated, since it may be a key instead
 */
export const findKey = async (keyId: string, flags: StageFlags): Promise<FoundKey> => {
  if (!/^[0-9a-f]{64}$/.test(keyId)) {
    throw new OperatorError('A key id is 64 hexadecimal digits, as shown when the key was issued.');
  }
  const keys = await findKeys(flags);
  const found = await keys.apiKeys.find(keyId);
  if (!found) throw unknownKey(keyId);
  return { ...keys, ...found };
};

/** What a command says of a key that is no longer of use. */
export const endedKey = (keyId: string): OperatorError =>
  new OperatorError(`The key ${keyId} is revoked or expired already: issue a new one.`);

/** What is said of a key whose item cannot be read. */
export const unreadableKey = (keyId: string): string =>
  `${printable(keyId)} is stored in a shape that is no key's: it admits nobody.`;

/**
 * Finds the key that a command is about, and that must be of use.
 *
 * @throws OperatorError as {@link findKey} does, and if the key is revoked or expired, or cannot be read
 */
export const findUsableKey = async (
  keyId: string,
  flags: StageFlags,
): Promise<FoundKey & { readonly key: StoredApiKey }> => {
  const { key, ...found } = await findKey(keyId, flags);
  if (!key) throw new OperatorError(`${unreadableKey(keyId)} Revoke it, and issue a new one.`);
  if (!isUsable(key, Date.now())) throw endedKey(keyId);
  return { ...found, key };
};

/** A key in words: whose it is, and on which stage. */
export const describeKey = ({ keyId, key, stageName }: FoundKey): string => {
  const whose = key
    ? `the ${key.mode} key ${keyId.slice(0, 8)} of ${key.storeId}`
    : `the key ${keyId.slice(0, 8)}`;
  return printable(`${whose} on the stage ${stageName}`);
};
