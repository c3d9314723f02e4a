import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { describeBucket } from '../../../lib/api-keys/token-bucket.ts';
import type { Action } from '../command.ts';
import { byParts, type Columns, ifAny, minuteOf, ofStore, statusPart, table } from '../output.ts';
import type { KEYS } from './commands.ts';
import { shortenAmong, unreadableKey } from './found-key.ts';
import { describeExcess } from './limits.ts';

const stateOf = (key: StoredApiKey, nowMs: number): 'active' | 'expired' | 'revoked' => {
  if (isUsable(key, nowMs)) return 'active';
  return key.revokedAtMs === undefined ? 'expired' : 'revoked';
};

const tokensLeft = (key: StoredApiKey, nowMs: number): number => describeBucket(key, nowMs * 1_000).remaining;

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
  'STATE (UTC)': (key) => statusPart(stateOf(key, nowMs), describeState(key, nowMs)),
  LIMIT: ({ limit, windowSeconds }) => `${limit}/${windowSeconds} s`,
  LEFT: (key) => String(tokensLeft(key, nowMs)),
  'LAST USED (UTC)': ({ lastUsedAtMs }) => minuteOf(lastUsedAtMs, 'never'),
});

export const list: Action<typeof KEYS.list> = async ({ store }, { stage, stores, now, stdout }) => {
  const listed = await stores.apiKeys.list();
  const nowMs = now();
  const keys = ofStore(
    store,
    listed.flatMap(({ key }) => key ?? []),
  ).toSorted(byParts(({ storeId, createdAtMs }) => [storeId, createdAtMs]));
  const unreadable = listed.filter(({ key }) => !key).map(({ keyId }) => keyId);
  const excesses = keys.flatMap((key) => {
    const excess = isUsable(key, nowMs) ? describeExcess(key, stage) : undefined;
    return excess === undefined ? [] : [{ keyId: key.keyId, excess }];
  });
  return {
    json: {
      keys: keys.map((key) => ({ ...key, state: stateOf(key, nowMs), tokensLeft: tokensLeft(key, nowMs) })),
      aboveMax: ifAny(excesses.map(({ keyId }) => keyId)),
      unreadable: ifAny(unreadable),
    },
    lines: [
      ...table(stdout, columnsAt(nowMs, shortenAmong(listed)), keys, 'There are no such keys.', ['LABEL']),
      ...unreadable.map(unreadableKey),
      ...excesses.map(({ excess }) => excess),
    ],
  };
};
