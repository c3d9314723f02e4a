import { apiKeyId, generateApiKey, shownKeyId } from '../../../lib/api-keys/api-key.ts';
import { defaultLimit, type KeyLimitsMax, limitsIssue } from '../../../lib/api-keys/key-limits.ts';
import { isUsable, type StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { isoTime } from '../../../lib/core/timestamps.ts';
import { type BucketLimits, rateLimitAt } from '../../../lib/token-bucket/token-bucket.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { counted } from '../../terminal/counted.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action, Result } from '../frame/command.ts';
import { by, ifAny, minuteOf, ofStore } from '../frame/output.ts';
import { type Columns, table } from '../frame/table.ts';
import { outputOf, type Stage } from '../target/stage.ts';
import type { KEY_STATES, KEYS } from './commands.ts';
import { endedKey, unreadableKey } from './find-key.ts';
import { rotateKey } from './key-rotation.ts';

/** Describes a key in a question, by its mode, store and stage. */
const describeKey = (keyId: string, key: StoredApiKey | undefined, { name }: Stage): string => {
  const shortId = shownKeyId({ keyId });
  const description = key ? `the ${key.mode} key ${shortId} of ${key.storeId}` : `the key ${shortId}`;
  return `${description} on the stage ${name}`;
};

const limitsMaxOf = (stage: Stage): KeyLimitsMax => ({
  requestsPerSecond: Number(outputOf(stage, 'KeyRequestsPerSecondMax')),
  requestsAtOnce: Number(outputOf(stage, 'KeyRequestsAtOnceMax')),
});

/** Why a stage allows no new key with these limits. A key that has them keeps working. */
const rejectionOn = (stage: Stage, limits: BucketLimits): string | undefined =>
  limitsIssue(limits, limitsMaxOf(stage));

const describeLimits = ({ limit, windowSeconds }: BucketLimits): string =>
  `${counted(limit, 'request')} per ${windowSeconds} s`;

const describeExcess = (key: StoredApiKey, stage: Stage): string => {
  const max = limitsMaxOf(stage);
  return `The key ${key.keyId} has ${describeLimits(key)}. This stage now allows a key ${max.requestsPerSecond} a second and ${max.requestsAtOnce} at once: lower it with \`keys set-limit\`.`;
};

/**
 * The result of a command that makes a key. Its text is stored nowhere.
 *
 * @param end further lines, also if the key cannot be shown
 */
const newKeyResult = (keyText: string, key: StoredApiKey, headline: string, ...end: string[]): Result => ({
  json: { apiKey: keyText, ...key },
  lines: [
    headline,
    `API key  ${keyText}`,
    `Key id   ${key.keyId}`,
    'Keep the API key now: it is stored nowhere and never shown again. The key id is no secret.',
    ...end,
  ],
  ifLost: [`The key ${key.keyId} was issued but could not be shown: revoke it.`, ...end].join(' '),
});

/** A stage takes real payments only when nobody can delete it by mistake. */
const rejectUnprotected = ({ name, outputs }: Stage): void => {
  if (outputs['Protected'] !== 'false') return;
  throw new OperatorError(
    `The stage ${name} has no protection yet: deploy it again without -c protected=false. Then issue the live key.`,
  );
};

export const issue: Action<typeof KEYS.issue> = async (
  options,
  { stage, repositories, now, confirm, change },
) => {
  const { store: storeId, mode, window: windowSeconds, expiresIn, lang, label } = options;
  const limit = options.limit ?? defaultLimit(windowSeconds, limitsMaxOf(stage));
  const settings = { storeId, mode, limit, windowSeconds };
  const rejection = rejectionOn(stage, settings);
  if (rejection !== undefined) throw new OperatorError(rejection);
  if (mode === 'live') rejectUnprotected(stage);
  await confirm(`Issuing a live key for ${storeId} on the stage ${stage.name}`, mode);
  const keyText = generateApiKey(mode);
  const nowMs = now();
  const expiresAtMs = expiresIn && nowMs + expiresIn;
  const key = await change({ keyId: apiKeyId(keyText), ...settings }, () =>
    repositories.apiKeys.issue({ keyText, ...settings, lang, label, expiresAtMs, nowMs }),
  );
  const until = expiresAtMs === undefined ? '' : `, until ${isoTime(expiresAtMs)}`;
  return newKeyResult(keyText, key, `Issued a ${mode} key for ${storeId}: ${describeLimits(key)}${until}.`);
};

export const rotate: Action<typeof KEYS.rotate> = async ({ key: old, overlap, expiresIn, yes }, context) => {
  const { stage, repositories, now, say, confirm, change } = context;
  const { keyId, mode, storeId, expiresAtMs: endsAtMs = Infinity } = old;
  // An earlier rotation may have replaced a key that ends within the overlap.
  if (endsAtMs <= now() + overlap && !yes) {
    throw new UsageError(
      `The key ${keyId} already ends at ${isoTime(endsAtMs)}: check with \`keys list\` whether it was rotated before. If not, add --yes.`,
    );
  }
  await confirm(`Rotating ${describeKey(keyId, old, stage)}`, mode);
  const keyText = generateApiKey(mode);
  const nowMs = now();
  const expiresAtMs = expiresIn && nowMs + expiresIn;
  const ids = { keyId, newKeyId: apiKeyId(keyText), overlapSeconds: overlap / 1_000 };
  const rotation = await change(ids, async () => {
    const made = await rotateKey(repositories.apiKeys, keyId, {
      keyText,
      overlapMs: overlap,
      expiresAtMs,
      nowMs,
    });
    if (made.outcome === 'unusable') throw endedKey(keyId);
    return made;
  });
  const { newKey } = rotation;
  if (rejectionOn(stage, newKey) !== undefined) say(describeExcess(newKey, stage));
  const headline = `Issued a ${mode} key for ${storeId}, with the limits of the old one.`;
  if (rotation.outcome === 'endUnknown') {
    say(`The end of the old key ${keyId} is unconfirmed: check it with \`keys list\`.`);
    const shown = newKeyResult(keyText, newKey, headline);
    return { ...shown, json: { ...shown.json, oldKeyId: keyId }, failure: rotation.error as Error };
  }
  const { oldEndsAtMs: oldKeyEndsAtMs } = rotation;
  const end = `Both keys work until the old one ends, at ${isoTime(oldKeyEndsAtMs)}.`;
  const shown = newKeyResult(keyText, newKey, headline, end);
  return { ...shown, json: { ...shown.json, oldKeyId: keyId, oldKeyEndsAtMs } };
};

export const setLimit: Action<typeof KEYS.setLimit> = async ({ key, limit, window }, context) => {
  const { stage, repositories, now, confirm, change } = context;
  const { keyId, mode } = key;
  const limits = { limit, windowSeconds: window };
  const rejection = rejectionOn(stage, limits);
  if (rejection !== undefined) throw new OperatorError(rejection);
  const described = describeLimits(limits);
  await confirm(`Limiting ${describeKey(keyId, key, stage)} to ${described}`, mode);
  await change({ keyId, ...limits }, async () => {
    if (!(await repositories.apiKeys.setLimits(keyId, limits, now()))) throw endedKey(keyId);
  });
  const before = `Before, it had ${key.limit} per ${key.windowSeconds} s.`;
  return { json: { keyId, ...limits }, lines: [`The key ${keyId} now has ${described}. ${before}`] };
};

export const refill: Action<typeof KEYS.refill> = async ({ key }, context) => {
  const { stage, repositories, now, confirm, change } = context;
  const { keyId } = key;
  await confirm(`Refilling ${describeKey(keyId, key, stage)}`, key.mode);
  const refilled = await change({ keyId }, async () => {
    const full = await repositories.apiKeys.refill(keyId, now());
    if (!full) throw endedKey(keyId);
    return full;
  });
  return {
    json: { keyId, refilled: true, tokensLeft: refilled.limit },
    lines: [`The bucket of the key ${keyId} is full again. The limit stays ${describeLimits(refilled)}.`],
  };
};

export const revoke: Action<typeof KEYS.revoke> = async ({ key: { keyId, key } }, context) => {
  const { stage, repositories, now, confirm, change } = context;
  // Treat an unreadable key as live.
  await confirm(`Revoking ${describeKey(keyId, key, stage)} at once and for ever`, key?.mode ?? 'live');
  await change({ keyId }, async () => {
    if ((await repositories.apiKeys.revoke(keyId, now())) === 'unknown')
      throw new OperatorError(`No key has the id ${keyId}.`);
  });
  const lines = [`Revoked the key ${keyId}.`];
  let failure: Error | undefined;
  // The endpoints that a key created outlive it.
  const endpoints = await repositories.endpoints.list().catch((error: Error) => {
    failure = error;
    return [];
  });
  const created = endpoints.filter(({ createdByKeyId }) => createdByKeyId === shownKeyId({ keyId }));
  if (created.length > 0) {
    const count = counted(created.length, 'webhook endpoint');
    lines.push(`It created ${count}, which the store keeps. If the key leaked, check their addresses:`);
    lines.push(...created.map(({ endpointId, url }) => `  ${endpointId}  ${url}`));
  }
  const webhookEndpoints = created.map(({ endpointId }) => endpointId);
  return { json: { keyId, revoked: true, webhookEndpoints }, lines, failure };
};

/** A key with its state at a time. */
const listedKey = (key: StoredApiKey, nowMs: number) => {
  const ended = key.revokedAtMs === undefined ? 'expired' : 'revoked';
  const state: (typeof KEY_STATES)[number] = isUsable(key, nowMs) ? 'active' : ended;
  return { ...key, state, tokensLeft: rateLimitAt(key, nowMs).remaining };
};

type ListedKey = ReturnType<typeof listedKey>;

/** The day on which a key ended, or the minute in which it will end. */
const describeState = ({ state, revokedAtMs, expiresAtMs }: ListedKey): string => {
  if (state === 'active') return expiresAtMs === undefined ? state : `ends ${minuteOf(expiresAtMs)}`;
  return `${state} ${minuteOf(revokedAtMs ?? expiresAtMs).split(' ')[0]}`;
};

const COLUMNS: Columns<ListedKey> = {
  'KEY ID': shownKeyId,
  STORE: ({ storeId }) => storeId,
  LABEL: ({ label = '' }) => label,
  MODE: ({ mode }) => mode,
  STATE: describeState,
  LIMIT: ({ limit, windowSeconds }) => `${limit}/${windowSeconds} s`,
  LEFT: ({ tokensLeft }) => String(tokensLeft),
  'LAST USED (UTC)': ({ lastUsedAtMs }) => minuteOf(lastUsedAtMs, 'never'),
};

export const list: Action<typeof KEYS.list> = async (
  { store, state },
  { stage, repositories, now, stdout },
) => {
  const listed = await repositories.apiKeys.list();
  const nowMs = now();
  const readable = listed.flatMap(({ key }) => (key ? listedKey(key, nowMs) : []));
  const keys = ofStore(store, readable)
    .filter((key) => state === undefined || key.state === state)
    .toSorted(by(({ storeId, createdAtMs }) => `${storeId} ${createdAtMs}`));
  const unreadable = listed.filter(({ key }) => !key).map(({ keyId }) => keyId);
  const aboveMax = keys.filter((key) => key.state === 'active' && rejectionOn(stage, key) !== undefined);
  return {
    json: {
      keys,
      aboveMax: ifAny(aboveMax.map(({ keyId }) => keyId)),
      unreadable: ifAny(unreadable),
    },
    lines: [
      ...table(stdout, COLUMNS, keys, 'There are no such keys.'),
      ...unreadable.map(unreadableKey),
      ...aboveMax.map((key) => describeExcess(key, stage)),
    ],
  };
};
