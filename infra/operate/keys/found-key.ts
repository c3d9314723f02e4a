import { type ApiKeyStore, createApiKeyStore, type ReadApiKey } from '../../../lib/api-keys/api-key-store.ts';
import { type KeyLimitsMax, rejectLimits } from '../../../lib/api-keys/limits.ts';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import type { BucketLimits } from '../../../lib/api-keys/token-bucket.ts';
import { printable, UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Host } from '../options.ts';
import { findStage, type Stage, type StageFlags } from '../stage.ts';
import { shortenAmong } from './key-prefix.ts';
import { limitsMaxOf } from './limits-max.ts';

/** A stored key of a stage. `key` is missing if its item is invalid. */
interface FoundKey {
  readonly stage: Stage;
  /** The largest limits of a key on this stage, if it has such a bound. */
  readonly limitsMax: KeyLimitsMax | undefined;
  readonly apiKeys: ApiKeyStore;
  /** The whole id. */
  readonly keyId: string;
  readonly key: StoredApiKey | undefined;
}

/**
 * Rejects limits that no key may have on any stage.
 *
 * @throws UsageError with one sentence
 */
export const assertLimits = (limits: BucketLimits): void => {
  const rejection = rejectLimits(limits);
  if (rejection !== undefined) throw new UsageError(rejection);
};

/**
 * Rejects limits that no key may have on a stage.
 *
 * @param max the largest limits on the stage, if it has such a bound
 * @throws OperatorError with one sentence
 */
export const assertStageLimits = (limits: BucketLimits, max: KeyLimitsMax | undefined): void => {
  const rejection = rejectLimits(limits, max);
  if (rejection !== undefined) throw new OperatorError(rejection);
};

/** Finds the keys of the stage that a command works on. */
export const findKeys = async (
  { clock }: Host,
  flags: StageFlags,
): Promise<Omit<FoundKey, 'keyId' | 'key'>> => {
  const stage = await findStage(flags, clock);
  const apiKeys = createApiKeyStore(stage.documents, stage.tableNames.apiKeys);
  return { stage, limitsMax: limitsMaxOf(stage), apiKeys };
};

export const unknownKey = (keyId: string): OperatorError => new OperatorError(`No key has the id ${keyId}.`);

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
 * Finds a key by its id, or by the beginning of its id. The read corrects the host's clock.
 *
 * @throws UsageError if the text is not hexadecimal. The message never repeats it: it may be an API key
 * @throws OperatorError if there is no such key, or if there are several
 */
export const findKey = async (host: Host, idOrPrefix: string, flags: StageFlags): Promise<FoundKey> => {
  if (!/^[0-9a-f]{4,64}$/.test(idOrPrefix)) {
    throw new UsageError(
      'A key id has 64 hexadecimal digits, and its first four are enough if no other key has them: find it with `keys list`.',
    );
  }
  const keys = await findKeys(host, flags);
  if (idOrPrefix.length < KEY_ID_DIGITS)
    return { ...keys, ...(await findByPrefix(keys.apiKeys, idOrPrefix)) };
  const found = await keys.apiKeys.find(idOrPrefix);
  if (!found) throw unknownKey(idOrPrefix);
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
  idOrPrefix: string,
  flags: StageFlags,
): Promise<FoundKey & { readonly key: StoredApiKey }> => {
  const { key, ...found } = await findKey(host, idOrPrefix, flags);
  if (!key) throw new OperatorError(`${unreadableKey(found.keyId)} Revoke it, and issue a new one.`);
  if (!isUsable(key, host.now())) throw endedKey(found.keyId);
  return { ...found, key };
};

/** Describes a key in a question, by its mode, store and stage. */
export const describeKey = ({ keyId, key, stage }: FoundKey): string => {
  const shortId = keyId.slice(0, 8);
  const description = key ? `the ${key.mode} key ${shortId} of ${key.storeId}` : `the key ${shortId}`;
  return printable(`${description} on the stage ${stage.name}`);
};
