import { type ApiKeyStore, createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { OperatorError } from '../../operator-error.ts';
import { findStage, type StageFlags } from '../stage.ts';

/** The keys of a stage. */
export interface StageKeys {
  readonly stageName: string;
  readonly apiKeys: ApiKeyStore;
}

/** A key that is there, with the keys of its stage. */
export interface FoundKey extends StageKeys {
  readonly key: StoredApiKey;
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
  const key = await keys.apiKeys.find(keyId);
  if (!key) throw unknownKey(keyId);
  return { ...keys, key };
};

/** A key in words: whose it is, and on which stage. */
export const describeKey = ({ key, stageName }: FoundKey): string =>
  `the ${key.mode} key ${key.keyId.slice(0, 8)} of ${key.storeId} on the stage ${stageName}`;
