import { Command } from 'commander';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { describeBucket } from '../../../lib/api-keys/token-bucket.ts';
import { type CommonFlags, type Host, parseId, withCommonOptions } from '../options.ts';
import { isoTime, minuteOf, optionalIsoTime, print, table } from '../output.ts';
import { findKeys, unreadableKey } from './found-key.ts';

interface ListFlags extends CommonFlags {
  readonly store?: string;
}

type State = 'active' | 'expired' | 'revoked';

const stateOf = (key: StoredApiKey, nowMs: number): State => {
  if (isUsable(key, nowMs)) return 'active';
  return key.revokedAtMs === undefined ? 'expired' : 'revoked';
};

/** A key in the JSON. */
const toJson = (key: StoredApiKey, nowMs: number) => {
  const { keyId, storeId, mode, limit, windowSeconds, lang, label, createdAtMs } = key;
  return {
    keyId,
    storeId,
    label,
    mode,
    state: stateOf(key, nowMs),
    limit,
    windowSeconds,
    tokensLeft: describeBucket(key, nowMs * 1_000).remaining,
    lang,
    createdAt: isoTime(createdAtMs),
    lastUsedAt: optionalIsoTime(key.lastUsedAtMs),
    expiresAt: optionalIsoTime(key.expiresAtMs),
    revokedAt: optionalIsoTime(key.revokedAtMs),
  };
};

const HEADING = [
  'KEY ID',
  'STORE',
  'LABEL',
  'MODE',
  'STATE',
  'LIMIT',
  'TOKENS LEFT',
  'LAST USED (UTC)',
  'ENDS (UTC)',
];

const toRow = (key: StoredApiKey, nowMs: number): string[] => {
  const endsAtMs = key.revokedAtMs ?? key.expiresAtMs;
  return [
    key.keyId,
    key.storeId,
    key.label ?? '',
    key.mode,
    stateOf(key, nowMs),
    `${key.limit} per ${key.windowSeconds} s`,
    String(describeBucket(key, nowMs * 1_000).remaining),
    key.lastUsedAtMs === undefined ? 'never' : minuteOf(key.lastUsedAtMs),
    endsAtMs === undefined ? '' : minuteOf(endsAtMs),
  ];
};

/** Orders keys by store, then by age. */
const compare = (a: StoredApiKey, b: StoredApiKey): number =>
  a.storeId < b.storeId ? -1 : a.storeId > b.storeId ? 1 : a.createdAtMs - b.createdAtMs;

const listKeys = async (host: Host, { store, json, ...stage }: ListFlags): Promise<void> => {
  const { apiKeys } = await findKeys(stage);
  const listed = await apiKeys.list();
  const nowMs = host.now();
  const keys = listed
    .flatMap(({ key }) => (key && (store === undefined || key.storeId === store) ? [key] : []))
    .toSorted(compare);
  const unreadable = listed.filter(({ key }) => !key).map(({ keyId }) => keyId);
  const result = {
    keys: keys.map((key) => toJson(key, nowMs)),
    ...(unreadable.length > 0 && { unreadable }),
  };
  const rows = keys.map((key) => toRow(key, nowMs));
  await print(host, json, result, [
    ...table(host, HEADING, rows, 'There are no such keys.'),
    ...unreadable.map(unreadableKey),
  ]);
};

const HELP = `
Examples:
  npm run operate -- keys list
  npm run operate -- keys list --store shop --stage prod
  npm run --silent operate -- keys list --json | jq -r '.keys[] | select(.lastUsedAt == null) | .keyId'

Even with --store, it reads the whole table of keys: DynamoDB charges for all of it.
LAST USED is the time of the last request that was neither 401 nor 429.`;

/** `keys list`: lists the keys of a stage, without their secrets. */
export const listKeysCommand = (host: Host): Command =>
  withCommonOptions(new Command('list'))
    .description('list keys with their limits, tokens left and last use; reads the whole table')
    .option('--store <id>', 'only the keys of this store', parseId)
    .addHelpText('after', HELP)
    .action((flags: ListFlags) => listKeys(host, flags));
