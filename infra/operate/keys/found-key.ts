import { type ApiKeyStore, createApiKeyStore } from '../../../lib/api-keys/api-key-store.ts';
import { type KeyLimitsMax, rejectLimits } from '../../../lib/api-keys/limits.ts';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import { createStoreDirectory, type StoreDirectory } from '../../../lib/stores/store-directory.ts';
import { printable, UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Host } from '../options.ts';
import { findStage, type StageFlags } from '../stage.ts';
import { limitsMaxOf } from './limits-max.ts';

/** A stored key of a stage. `key` is missing if its item is invalid. */
interface FoundKey {
  readonly stageName: string;
  /** The largest limits of a key on this stage, if it has such a bound. */
  readonly limitsMax: KeyLimitsMax | undefined;
  readonly apiKeys: ApiKeyStore;
  readonly stores: StoreDirectory;
  readonly keyId: string;
  readonly key: StoredApiKey | undefined;
}

/**
 * Rejects limits that no key may have.
 *
 * @param max the largest limits on the stage, if it is known yet
 * @throws UsageError with one sentence
 */
export const assertLimits = (limits: BucketLimits, max?: KeyLimitsMax): void => {
  const rejection = rejectLimits(limits, max);
  if (rejection !== undefined) throw new UsageError(rejection);
};

/** Finds the keys of the stage that a command works on. */
export const findKeys = async (
  { clock }: Host,
  flags: StageFlags,
): Promise<Omit<FoundKey, 'keyId' | 'key'>> => {
  const stage = await findStage(flags, clock);
  const apiKeys = createApiKeyStore(stage.documents, stage.tableNames.apiKeys);
  const stores = createStoreDirectory(stage.documents, stage.tableNames.stores);
  return { stageName: stage.name, limitsMax: limitsMaxOf(stage), apiKeys, stores };
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
