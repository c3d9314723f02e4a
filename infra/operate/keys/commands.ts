import { DEFAULT_LIMITS, defaultLimit, limitsIssue } from '../../../lib/api-keys/key-limits.ts';
import { parseLocale } from '../../../lib/core/locale.ts';
import type { BucketLimits } from '../../../lib/token-bucket/token-bucket.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { define } from '../frame/command.ts';
import { defaulting, optional, required } from '../frame/parameter.ts';
import {
  foundType,
  typeOf,
  choice,
  COUNT,
  DURATION,
  LIFETIME,
  MODE,
  SECONDS,
  TEXT,
} from '../frame/value-types.ts';
import { MERCHANTS_STORE, STORE } from '../shared/store-values.ts';

const KEY_ID = typeOf(
  'keyId',
  'A key id has 64 hexadecimal digits, and its first four are enough if no other key has them: find it with `keys list`.',
  (text) => /^[0-9a-f]{4,64}$/.exec(text.trim().toLowerCase())?.[0],
  UsageError,
);

/** A key, by its id or the beginning of it. */
const KEY = foundType(KEY_ID, async (id, context) => (await import('./find-key.ts')).findKey(id, context));

/** A key that is neither revoked nor expired. */
const USABLE_KEY = foundType(KEY_ID, async (id, context) =>
  (await import('./find-key.ts')).findUsableKey(id, context),
);

const LANG = typeOf('xx-YY', 'It must be a language and a region, such as fr-FR.', parseLocale);

/** Rejects limits that no key may have on any stage. */
const assertLimits = (limits: BucketLimits): void => {
  const rejection = limitsIssue(limits);
  if (rejection !== undefined) throw new UsageError(rejection);
};

/** The states of a key. One that ends later is active. */
export const KEY_STATES = ['active', 'revoked', 'expired'] as const;

const KEY_TEXT = 'the id of the key or its beginning, not the key itself';

const KEY_JSON = 'keyId storeId label? mode limit windowSeconds lang? createdAt expiresAt?';

export const KEYS = {
  issue: define(
    {
      summary: 'issue a key and show it once',
      options: {
        store: required(MERCHANTS_STORE, 'the store that the key belongs to'),
        mode: defaulting(MODE, 'test', 'the mode of the key and its carts'),
        limit: optional(
          COUNT,
          `requests per window; default: ${DEFAULT_LIMITS.limit}, or the stage's lower maximum`,
        ),
        window: defaulting(SECONDS, String(DEFAULT_LIMITS.windowSeconds), 'length of the window in seconds'),
        expiresIn: optional(LIFETIME, 'the lifetime of the key, such as 90d; default: no end'),
        lang: optional(LANG, 'the locale of a cart if its request names none'),
        label: optional(TEXT, 'a name by which people recognise the key'),
      },
      asks: true,
      audits: 'keyId storeId mode limit windowSeconds',
      json: `apiKey ${KEY_JSON}`,
      example: "keys issue --store shop --limit 1000 --window 60 --label 'Web shop' --lang fr-FR",
      notes: `\
Add a new store first, with \`stores put\`. \`prod\` has live keys from its second deployment on: the first one is not
protected.`,
    },
    ({ limit, window }) => assertLimits({ limit: limit ?? defaultLimit(window), windowSeconds: window }),
  ),
  list: define({
    summary: 'list keys with their limits, tokens left and last use; reads the whole table',
    options: {
      store: optional(STORE, 'only the keys of this store'),
      state: optional(choice('state', KEY_STATES), 'only the keys in this state'),
    },
    json: `keys(${KEY_JSON} state tokensLeft lastUsedAt? revokedAt?) unreadable? aboveMax?`,
    example: 'keys list --store shop --stage prod',
    notes: `\
The table shows the beginning of each key id, which the other commands accept. LIMIT has requests per window, and
LEFT the tokens that are left. Times are in UTC. --json prints each id in full.
LAST USED is the time of the last request that was neither 401 nor 429. For a revoked or expired key, it can be
the time of a later request, which was rejected.`,
  }),
  rotate: define({
    summary: 'issue a key that replaces another one, which ends after an overlap',
    arguments: { key: required(USABLE_KEY, KEY_TEXT) },
    options: {
      overlap: defaulting(DURATION, '24h', 'how long both keys work, such as 12h or 7d'),
      expiresIn: optional(LIFETIME, 'the lifetime of the new key, such as 90d; default: no end'),
    },
    asks: true,
    audits: 'keyId newKeyId overlapSeconds',
    json: `apiKey ${KEY_JSON} oldKeyId oldKeyEndsAt?`,
    example: 'keys rotate 06292f8a --overlap 7d',
    notes: `\
Both keys work during the overlap, each with its own bucket. For a leaked key, use --overlap 0s.
A rotation never extends the old key. If the old key ends within the overlap, its end stays, and --yes is required: an
earlier rotation may have replaced the key already.`,
  }),
  setLimit: define(
    {
      summary: "change a key's limit and window",
      arguments: { key: required(USABLE_KEY, KEY_TEXT) },
      options: {
        limit: required(COUNT, 'requests per window'),
        window: required(SECONDS, 'length of the window in seconds'),
      },
      asks: true,
      audits: 'keyId limit windowSeconds',
      json: 'keyId limit windowSeconds',
      example: 'keys set-limit 06292f8a --limit 600 --window 60',
      notes: `\
The new limit applies from the key's next request. A key with an empty bucket may still get 429 for one second.
A new limit refunds no tokens. Used tokens, up to the new limit, return at the new rate. A full bucket stays full.`,
    },
    ({ limit, window }) => assertLimits({ limit, windowSeconds: window }),
  ),
  refill: define({
    summary: "fill a key's bucket with all of its tokens",
    arguments: { key: required(USABLE_KEY, KEY_TEXT) },
    asks: true,
    audits: 'keyId',
    json: 'keyId refilled tokensLeft',
    example: 'keys refill 06292f8a --stage prod --yes',
    notes: `\
Use it if a store gets 429 although it sent few requests, or if it must continue after a mistake.
A key with an empty bucket may still get 429 for one second.`,
  }),
  revoke: define({
    summary: 'revoke a key at once and for ever',
    arguments: { key: required(KEY, KEY_TEXT) },
    asks: true,
    audits: 'keyId',
    json: 'keyId revoked webhookEndpoints',
    example: 'keys revoke 06292f8a --stage prod --yes',
    notes: `\
The key's next request gets 401. While its bucket is empty, requests may still get 429 for one second.
The webhook endpoints that the key created stay: the command lists them, because a thief may have created some.
A revoked key never works again. To replace a key without rejected requests, use \`keys rotate\`.`,
  }),
};
