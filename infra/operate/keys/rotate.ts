import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { rotateKey } from '../../../lib/api-keys/rotation.ts';
import { UsageError } from '../../command-line.ts';
import type { Run } from '../command.ts';
import { isoTime } from '../output.ts';
import type { ROTATE_KEY } from './commands.ts';
import { describeKey, endedKey } from './found-key.ts';
import { newKeyResult } from './new-key.ts';
import { describeExcess } from './stage-limits.ts';

/** The line about the end of the old key. */
const endLine = (endsAtMs: number, askedMs: number): string => {
  const reason = endsAtMs < askedMs ? ', its earlier end' : '';
  return `Both keys work until the old one ends, at ${isoTime(endsAtMs)}${reason}.`;
};

export const run: Run<typeof ROTATE_KEY> = async ({ key: old, overlap, expiresIn, yes }, context) => {
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
  const excess = describeExcess(rotation.newKey, stage);
  if (excess !== undefined) say(excess);
  const headline = `Issued a ${mode} key for ${storeId}, with the limits of the old one.`;
  if (rotation.outcome === 'rotated') {
    const { oldEndsAtMs } = rotation;
    const shown = newKeyResult(secret, rotation.newKey, headline, [endLine(oldEndsAtMs, nowMs + overlap)]);
    return { ...shown, json: { ...shown.json, oldKeyId: keyId, oldKeyEndsAt: isoTime(oldEndsAtMs) } };
  }
  const shown = newKeyResult(secret, rotation.newKey, headline);
  say(`The end of the old key ${keyId} is unconfirmed: check it with \`keys list\`.`);
  return { ...shown, json: { ...shown.json, oldKeyId: keyId }, error: rotation.error };
};
