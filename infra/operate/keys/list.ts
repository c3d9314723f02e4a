import type { Command } from 'commander';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { describeBucket } from '../../../lib/api-keys/token-bucket.ts';
import { type CommonFlags, type Host, parseId, stageCommand } from '../options.ts';
import { type Columns, minuteOf, optionalIsoTime, print, table } from '../output.ts';
import { assertStoreOfList } from '../stores/known-store.ts';
import { findKeys, unreadableKey } from './found-key.ts';
import { describeExcess } from './limits-max.ts';
import { shortenAmong } from './key-prefix.ts';
import { keyJson } from './new-key.ts';

interface ListFlags extends CommonFlags {
  readonly store?: string;
}

const stateOf = (key: StoredApiKey, nowMs: number): 'active' | 'expired' | 'revoked' => {
  if (isUsable(key, nowMs)) return 'active';
  return key.revokedAtMs === undefined ? 'expired' : 'revoked';
};

const tokensLeft = (key: StoredApiKey, nowMs: number): number => describeBucket(key, nowMs * 1_000).remaining;

const toJson = (key: StoredApiKey, nowMs: number) => ({
  ...keyJson(key),
  state: stateOf(key, nowMs),
  tokensLeft: tokensLeft(key, nowMs),
  lastUsedAt: optionalIsoTime(key.lastUsedAtMs),
  revokedAt: optionalIsoTime(key.revokedAtMs),
});

/** The day on which a key ended, or the minute in which it will end. */
const describeState = (key: StoredApiKey, nowMs: number): string => {
  const state = stateOf(key, nowMs);
  const { revokedAtMs, expiresAtMs } = key;
  if (state === 'active') return expiresAtMs === undefined ? state : `ends ${minuteOf(expiresAtMs)}`;
  return `${state} ${minuteOf(revokedAtMs ?? expiresAtMs).split(' ')[0]}`;
};

const columnsAt = (nowMs: number, shorten: (keyId: string) => string): Columns<StoredApiKey> => ({
  'KEY ID': ({ keyId }) => shorten(keyId),
  STORE: ({ storeId }) => storeId,
  LABEL: ({ label = '' }) => label,
  MODE: ({ mode }) => mode,
  'STATE (UTC)': (key) => describeState(key, nowMs),
  LIMIT: ({ limit, windowSeconds }) => `${limit}/${windowSeconds} s`,
  LEFT: (key) => String(tokensLeft(key, nowMs)),
  'LAST USED (UTC)': ({ lastUsedAtMs }) => minuteOf(lastUsedAtMs, 'never'),
});

/** Texts of up to 128 characters. The JSON has them whole. */
const ELASTIC = ['STORE', 'LABEL'];

/** Orders keys by store, then by age. */
const compare = (a: StoredApiKey, b: StoredApiKey): number =>
  a.storeId < b.storeId ? -1 : a.storeId > b.storeId ? 1 : a.createdAtMs - b.createdAtMs;

const listKeys = async (host: Host, { store, json, ...flags }: ListFlags): Promise<void> => {
  const { stage, apiKeys, limitsMax } = await findKeys(host, flags);
  const listed = await apiKeys.list();
  const nowMs = host.now();
  const keys = listed
    .flatMap(({ key }) => (key && (store === undefined || key.storeId === store) ? [key] : []))
    .toSorted(compare);
  await assertStoreOfList(stage, store, keys);
  const unreadable = listed.filter(({ key }) => !key).map(({ keyId }) => keyId);
  const excessive = keys.flatMap((key) => {
    const excess = isUsable(key, nowMs) ? describeExcess(key, limitsMax) : undefined;
    return excess === undefined ? [] : [{ keyId: key.keyId, excess }];
  });
  const result = {
    keys: keys.map((key) => toJson(key, nowMs)),
    ...(unreadable.length > 0 && { unreadable }),
    ...(excessive.length > 0 && { aboveMax: excessive.map(({ keyId }) => keyId) }),
  };
  await print(host, json, result, [
    ...table(host, columnsAt(nowMs, shortenAmong(listed)), keys, 'There are no such keys.', ELASTIC),
    ...unreadable.map(unreadableKey),
    ...excessive.map(({ excess }) => excess),
  ]);
};

const HELP = `
Examples:
  npm run operate -- keys list
  npm run operate -- keys list --store shop --stage prod
  npm run --silent operate -- keys list --json | jq -r '.keys[] | select(.lastUsedAt == null) | .keyId'

The table shows the beginning of each key id, which the other commands accept. LIMIT has requests per window, and
LEFT the tokens that are left. --json prints each id, store and label in full.
Even with --store, it reads the whole table of keys: DynamoDB charges for all of it.
LAST USED is the time of the last request that was neither 401 nor 429. For a revoked or expired key, it can be
the time of a later request, which was rejected.`;

/** `keys list`: lists the keys of a stage, without their secrets. */
export const listKeysCommand = (host: Host): Command =>
  stageCommand('list', 'list keys with their limits, tokens left and last use; reads the whole table', HELP)
    .option('--store <id>', 'only the keys of this store', parseId)
    .action((flags: ListFlags) => listKeys(host, flags));
