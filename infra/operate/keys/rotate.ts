import { type Command, Option } from 'commander';
import { apiKeyId, generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { rotateKey } from '../../../lib/api-keys/rotation.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { UsageError } from '../../command-line.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import {
  type CommonFlags,
  type Host,
  parseDuration,
  parseLifetime,
  stageCommand,
  withYes,
  type YesFlag,
} from '../options.ts';
import { isoTime } from '../output.ts';
import { describeKey, endedKey, findUsableKey } from './found-key.ts';
import { describeExcess } from './limits-max.ts';
import { printNewKey } from './new-key.ts';

interface RotateFlags extends CommonFlags, YesFlag {
  /** In milliseconds. */
  readonly overlap: number;
  readonly expiresIn?: number;
}

/** Rejects the rotation of a key that ends within the overlap: an earlier rotation may have replaced it. */
const rejectSecondRotation = (
  { keyId, expiresAtMs }: StoredApiKey,
  { overlap, yes }: RotateFlags,
  nowMs: number,
): void => {
  if (expiresAtMs === undefined || expiresAtMs > nowMs + overlap || yes) return;
  throw new UsageError(
    `The key ${keyId} already ends at ${isoTime(expiresAtMs)}: check with \`keys list\` whether it was rotated before. If not, add --yes.`,
  );
};

/** The line about the end of the old key. */
const endLine = (endsAtMs: number, askedMs: number): string => {
  const reason = endsAtMs < askedMs ? ', its earlier end' : '';
  return `Both keys work until the old one ends, at ${isoTime(endsAtMs)}${reason}.`;
};

const rotate = async (host: Host, idOrPrefix: string, flags: RotateFlags): Promise<void> => {
  const { overlap, expiresIn, json } = flags;
  const found = await findUsableKey(host, idOrPrefix, flags);
  const { keyId } = found;
  rejectSecondRotation(found.key, flags, host.now());
  await confirmLive(host, `Rotating ${describeKey(found)}`, { ...found.key, ...flags });
  const secret = generateApiKey(found.key.mode);
  const nowMs = host.now();
  const expiresAtMs = expiresIn && nowMs + expiresIn;
  const request = { secret, overlapMs: overlap, expiresAtMs, nowMs };
  const ids = { keyId, newKeyId: apiKeyId(secret), overlapSeconds: overlap / 1_000 };
  const rotation = await recordChange(host, found.stage, { command: 'keys rotate', ids }, async () => {
    const made = await rotateKey(found.apiKeys, keyId, request);
    if (made.outcome === 'unusable') throw endedKey(keyId);
    return made;
  });
  const { newKey: key } = rotation;
  const excess = describeExcess(key, found.limitsMax);
  if (excess !== undefined) host.stderr.write(`${excess}\n`);
  const headline = `Issued a ${key.mode} key for ${key.storeId}, with the limits of the old one.`;
  const result = { secret, key, headline };
  if (rotation.outcome === 'rotated') {
    const fields = { oldKeyId: keyId, oldKeyEndsAt: isoTime(rotation.oldEndsAtMs) };
    const lastLine = endLine(rotation.oldEndsAtMs, nowMs + overlap);
    return printNewKey(host, json, { ...result, fields, lastLine });
  }
  await printNewKey(host, json, { ...result, fields: { oldKeyId: keyId } });
  host.stderr.write(`The end of the old key ${keyId} is unconfirmed: check it with \`keys list\`.\n`);
  throw rotation.error;
};

const DEFAULT_OVERLAP = '24h';

const HELP = `
Example:
  npm run operate -- keys rotate 06292f8a --overlap 7d

Both keys work during the overlap, each with its own bucket. For a leaked key, use --overlap 0s.
A rotation never extends the old key. If the old key ends within the overlap, its end stays, and --yes is required: an
earlier rotation may have replaced the key already.`;

/** `keys rotate`: issues a key that replaces another one, which ends after an overlap. */
export const rotateKeyCommand = (host: Host): Command =>
  withYes(stageCommand('rotate', 'issue a key that replaces another one, which ends after an overlap', HELP))
    .argument('<keyId>', 'the id of the old key or its beginning, not the key itself')
    .addOption(
      new Option('--overlap <duration>', 'how long both keys work, such as 12h or 7d')
        .argParser(parseDuration)
        .default(parseDuration(DEFAULT_OVERLAP), DEFAULT_OVERLAP),
    )
    .option(
      '--expires-in <duration>',
      'the lifetime of the new key, such as 90d; default: no end',
      parseLifetime,
    )
    .action((keyId: string, flags: RotateFlags) => rotate(host, keyId, flags));
