import type { WebhookEndpoint } from '../../../lib/webhooks/endpoint.ts';
import { counted } from '../../counted.ts';
import type { Stores } from '../stores.ts';
import { apiKeyId, generateApiKey, LOGGED_KEY_ID_DIGITS } from '../../../lib/api-keys/api-key.ts';
import { defaultLimit } from '../../../lib/api-keys/limits.ts';
import { rotateKey } from '../../../lib/api-keys/rotation.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { UsageError } from '../../command-line.ts';
import type { Action, Result } from '../command.ts';
import { isoTime } from '../output.ts';
import { secretResult } from '../secret-result.ts';
import type { KEYS } from './commands.ts';
import { describeKey, endedKey, unknownKey } from './found-key.ts';
import { assertStageLimits, describeExcess, describeLimits, limitsMaxOf } from './limits.ts';

export { list } from './list.ts';

/** The result of a command that makes a key. Its secret is stored nowhere. */
const newKeyResult = (secret: string, key: StoredApiKey, headline: string, end?: string): Result =>
  secretResult({
    json: { apiKey: secret, ...key },
    headline,
    shown: { 'API key': secret, 'Key id': key.keyId },
    notice: 'Keep the API key now: it is stored nowhere and never shown again. The key id is no secret.',
    ifLost: `The key ${key.keyId} was issued but could not be shown: revoke it.`,
    ...(end !== undefined && { end }),
  });

export const issue: Action<typeof KEYS.issue> = async (options, { stage, stores, now, confirm, change }) => {
  const { store: storeId, mode, window: windowSeconds, expiresIn, lang, label } = options;
  const limit = options.limit ?? defaultLimit(windowSeconds, limitsMaxOf(stage));
  const settings = { storeId, mode, limit, windowSeconds };
  assertStageLimits(settings, stage);
  await confirm(`Issuing a live key for ${storeId} on the stage ${stage.name}`, mode);
  const secret = generateApiKey(mode);
  const nowMs = now();
  const expiresAtMs = expiresIn && nowMs + expiresIn;
  const key = await change({ keyId: apiKeyId(secret), ...settings }, () =>
    stores.apiKeys.issue({ secret, ...settings, lang, label, expiresAtMs, nowMs }),
  );
  const until = expiresAtMs === undefined ? '' : `, until ${isoTime(expiresAtMs)}`;
  return newKeyResult(secret, key, `Issued a ${mode} key for ${storeId}: ${describeLimits(key)}${until}.`);
};

export const rotate: Action<typeof KEYS.rotate> = async ({ key: old, overlap, expiresIn, yes }, context) => {
  const { stage, stores, now, say, confirm, change } = context;
  const { keyId, mode, storeId, expiresAtMs: endsAtMs = Infinity } = old;
  // An earlier rotation may have replaced a key that ends within the overlap.
  if (endsAtMs <= now() + overlap && !yes) {
    throw new UsageError(
      `The key ${keyId} already ends at ${isoTime(endsAtMs)}: check with \`keys list\` whether it was rotated before. If not, add --yes.`,
    );
  }
  await confirm(`Rotating ${describeKey(keyId, old, stage)}`, mode);
  const secret = generateApiKey(mode);
  const nowMs = now();
  const expiresAtMs = expiresIn && nowMs + expiresIn;
  const ids = { keyId, newKeyId: apiKeyId(secret), overlapSeconds: overlap / 1_000 };
  const rotation = await change(ids, async () => {
    const made = await rotateKey(stores.apiKeys, keyId, { secret, overlapMs: overlap, expiresAtMs, nowMs });
    if (made.outcome === 'unusable') throw endedKey(keyId);
    return made;
  });
  const { newKey } = rotation;
  const excess = describeExcess(newKey, stage);
  if (excess !== undefined) say(excess);
  const headline = `Issued a ${mode} key for ${storeId}, with the limits of the old one.`;
  if (rotation.outcome === 'endUnknown') {
    say(`The end of the old key ${keyId} is unconfirmed: check it with \`keys list\`.`);
    const shown = newKeyResult(secret, newKey, headline);
    return { ...shown, json: { ...shown.json, oldKeyId: keyId }, error: rotation.error };
  }
  const { oldEndsAtMs: oldKeyEndsAtMs } = rotation;
  const reason = oldKeyEndsAtMs < nowMs + overlap ? ', its earlier end' : '';
  const end = `Both keys work until the old one ends, at ${isoTime(oldKeyEndsAtMs)}${reason}.`;
  const shown = newKeyResult(secret, newKey, headline, end);
  return { ...shown, json: { ...shown.json, oldKeyId: keyId, oldKeyEndsAtMs } };
};

export const setLimit: Action<typeof KEYS.setLimit> = async (
  options,
  { stage, stores, now, confirm, change },
) => {
  const { key, limit, window: windowSeconds } = options;
  const { keyId } = key;
  const limits = { limit, windowSeconds };
  assertStageLimits(limits, stage);
  const described = describeLimits(limits);
  await confirm(`Limiting ${describeKey(keyId, key, stage)} to ${described}`, key.mode);
  await change({ keyId, ...limits }, async () => {
    if (!(await stores.apiKeys.setLimits(keyId, limits, now()))) throw endedKey(keyId);
  });
  const before = `${key.limit} per ${key.windowSeconds} s`;
  return {
    json: { keyId, ...limits },
    lines: [`The key ${keyId} now has ${described}. Before, it had ${before}.`],
  };
};

export const refill: Action<typeof KEYS.refill> = async (
  { key },
  { stage, stores, now, confirm, change },
) => {
  const { keyId } = key;
  await confirm(`Refilling ${describeKey(keyId, key, stage)}`, key.mode);
  const refilled = await change({ keyId }, async () => {
    const full = await stores.apiKeys.refill(keyId, now());
    if (!full) throw endedKey(keyId);
    return full;
  });
  return {
    json: { keyId, refilled: true, tokensLeft: refilled.limit },
    lines: [`The bucket of the key ${keyId} is full again. The limit stays ${describeLimits(refilled)}.`],
  };
};

/** The endpoints that a key created. They outlive it. */
const endpointsOf = async (keyId: string, { endpoints }: Stores): Promise<readonly WebhookEndpoint[]> => {
  const shownId = keyId.slice(0, LOGGED_KEY_ID_DIGITS);
  return (await endpoints.list()).filter(({ createdByKeyId }) => createdByKeyId === shownId);
};

export const revoke: Action<typeof KEYS.revoke> = async (
  options,
  { stage, stores, now, confirm, change },
) => {
  const { keyId, key } = options.key;
  // Treat an unreadable key as live.
  const mode = key?.mode ?? 'live';
  await confirm(`Revoking ${describeKey(keyId, key, stage)} at once and for ever`, mode);
  await change({ keyId }, async () => {
    if ((await stores.apiKeys.revoke(keyId, now())) === 'unknown') throw unknownKey(keyId);
  });
  const revoked = { keyId, revoked: true };
  const lines = [`Revoked the key ${keyId}.`];
  try {
    const created = await endpointsOf(keyId, stores);
    if (created.length > 0) {
      const count = counted(created.length, 'webhook endpoint');
      lines.push(`It created ${count}, which the store keeps. If the key leaked, check their addresses:`);
      lines.push(...created.map(({ endpointId, url }) => `  ${endpointId}  ${url}`));
    }
    return { json: { ...revoked, webhookEndpoints: created.map(({ endpointId }) => endpointId) }, lines };
  } catch (error) {
    return { json: { ...revoked, webhookEndpoints: [] }, lines, error };
  }
};
