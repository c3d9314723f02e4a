import { Command } from 'commander';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { describeBucket } from '../../../lib/api-keys/token-bucket.ts';
import { type CommonFlags, parseId, withCommonOptions } from '../options.ts';
import { isoTime, print, table } from '../output.ts';
import { findKeys, unreadableKey } from './found-key.ts';

interface ListFlags extends CommonFlags {
  readonly store?: string;
}

type State = 'active' | 'expired' | 'revoked';

const stateOf = (key: StoredApiKey, nowMs: number): State => {
  if (isUsable(key, nowMs)) return 'active';
  return key.revokedAtMs === undefined ? 'expired' : 'revoked';
};

/** One key as `--json` tells it. */
const toJson = (key: StoredApiKey, nowMs: number) => {
  const { keyId, storeId, mode, limit, windowSeconds, lang, label, createdAtMs } = key;
  const times = {
    createdAt: createdAtMs,
    lastUsedAt: key.lastUsedAtMs,
    expiresAt: key.expiresAtMs,
    revokedAt: key.revokedAtMs,
  };
  return {
    keyId,
    storeId,
    ...(label !== undefined && { label }),
    mode,
    state: stateOf(key, nowMs),
    limit,
    windowSeconds,
    tokensLeft: describeBucket(key, nowMs * 1_000).remaining,
    ...(lang !== undefined && { lang }),
    ...Object.fromEntries(
      Object.entries(times).flatMap(([name, timeMs]) =>
        timeMs === undefined ? [] : [[name, isoTime(timeMs)]],
      ),
    ),
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

const minuteText = (timeMs: number | undefined, otherwise: string): string =>
  timeMs === undefined ? otherwise : isoTime(timeMs).slice(0, 16).replace('T', ' ');

const toRow = (key: StoredApiKey, nowMs: number): string[] => [
  key.keyId,
  key.storeId,
  key.label ?? '',
  key.mode,
  stateOf(key, nowMs),
  `${key.limit} per ${key.windowSeconds} s`,
  String(describeBucket(key, nowMs * 1_000).remaining),
  minuteText(key.lastUsedAtMs, 'never'),
  minuteText(key.revokedAtMs ?? key.expiresAtMs, ''),
];

/** By store, then by age. */
const inOrder = (a: StoredApiKey, b: StoredApiKey): number =>
  a.storeId < b.storeId ? -1 : a.storeId > b.storeId ? 1 : a.createdAtMs - b.createdAtMs;

const listKeys = async ({ store, json, ...stage }: ListFlags): Promise<void> => {
  const { apiKeys } = await findKeys(stage);
  const listed = await apiKeys.list();
  const nowMs = Date.now();
  const keys = listed
    .flatMap(({ key }) => (key && (store === undefined || key.storeId === store) ? [key] : []))
    .toSorted(inOrder);
  const unreadable = listed.filter(({ key }) => !key).map(({ keyId }) => keyId);
  const result = {
    keys: keys.map((key) => toJson(key, nowMs)),
    ...(unreadable.length > 0 && { unreadable }),
  };
  print(json, result, [
    ...(keys.length > 0
      ? table(
          HEADING,
          keys.map((key) => toRow(key, nowMs)),
        )
      : ['There are no such keys.']),
    ...unreadable.map(unreadableKey),
  ]);
};

const HELP = `
Examples:
  npm run operate -- keys list
  npm run operate -- keys list --store shop --stage prod
  npm run --silent operate -- keys list --json | jq -r '.keys[] | select(.lastUsedAt == null) | .keyId'

It reads the whole table of keys, whatever the store: DynamoDB charges for all of it. LAST USED is the last request
that the key's bucket let through; one that was answered 401 or 429 does not count.`;

/** `keys list`: the keys of a stage, never their texts. */
export const listCommand = (): Command =>
  withCommonOptions(new Command('list'))
    .description('list keys with their limits, tokens left and last use; reads the whole table')
    .option('--store <id>', 'the keys of this store only', parseId)
    .addHelpText('after', HELP)
    .action(listKeys);
