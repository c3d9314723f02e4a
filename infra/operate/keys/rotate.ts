import { Command, Option } from 'commander';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { rotateKey } from '../../../lib/api-keys/rotation.ts';
import type { StoredApiKey } from '../../../lib/api-keys/stored-api-key.ts';
import { UsageError } from '../../command-line.ts';
import { confirmLive } from '../confirm.ts';
import {
  type CommonFlags,
  parseDuration,
  parseLifetime,
  withCommonOptions,
  withYes,
  type YesFlag,
} from '../options.ts';
import { isoTime } from '../output.ts';
import { describeKey, endedKey, findUsableKey } from './found-key.ts';
import { printNewKey } from './new-key.ts';

interface RotateFlags extends CommonFlags, YesFlag {
  /** In milliseconds. */
  readonly overlap: number;
  readonly expiresIn?: number;
}

/** A rotated key has an end already, so that a second rotation of it would leave the store with two successors. */
const refuseSecondRotation = ({ keyId, expiresAtMs }: StoredApiKey, { overlap, yes }: RotateFlags): void => {
  if (expiresAtMs === undefined || expiresAtMs > Date.now() + overlap || yes) return;
  throw new UsageError(
    `The key ${keyId} ends at ${isoTime(expiresAtMs)} already: if a rotation has replaced it, keys list shows the new one; if none has, add --yes.`,
  );
};

/** When the old key ends, for a person. */
const endLine = (endsAtMs: number, askedMs: number): string => {
  const already = endsAtMs < askedMs ? ', an end that it had already' : '';
  return `The old key works until ${isoTime(endsAtMs)}${already}; both work until then.`;
};

const rotate = async (keyId: string, flags: RotateFlags): Promise<void> => {
  const { overlap, expiresIn, json } = flags;
  const found = await findUsableKey(keyId, flags);
  refuseSecondRotation(found.key, flags);
  await confirmLive(`Rotating ${describeKey(found)}`, { ...found.key, ...flags });
  const secret = generateApiKey(found.key.mode);
  const nowMs = Date.now();
  const rotation = await rotateKey(found.apiKeys, keyId, {
    secret,
    overlapMs: overlap,
    expiresAtMs: expiresIn && nowMs + expiresIn,
    nowMs,
  });
  if (rotation.outcome === 'unusable') throw endedKey(keyId);
  const { newKey: key } = rotation;
  const headline = `Issued a ${key.mode} key for ${key.storeId}, with the limits of the old one.`;
  const told = { secret, key, headline };
  const oldKeyId = keyId;
  if (rotation.outcome === 'rotated') {
    const more = { oldKeyId, oldKeyEndsAt: isoTime(rotation.oldEndsAtMs) };
    const lastLines = [endLine(rotation.oldEndsAtMs, nowMs + overlap)];
    return printNewKey(json, { ...told, more, lastLines });
  }
  await printNewKey(json, { ...told, more: { oldKeyId } });
  process.stderr.write(`Whether the old key ${oldKeyId} ends is unknown: keys list tells.\n`);
  throw rotation.error;
};

const DEFAULT_OVERLAP = '24h';

const HELP = `
Examples:
  npm run operate -- keys rotate 06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10
  npm run operate -- keys rotate 06292f8a... --overlap 7d --stage prod     (with all 64 digits)

Both keys work during the overlap, each with a bucket of its own. A key that leaked has no overlap: --overlap 0s.
A rotation cannot lengthen a key: an end that the old key already has, and that is earlier, stays. As it may be that of
an earlier rotation, such a key is rotated with --yes only.`;

/** `keys rotate`: a new key in place of an old one, which ends after an overlap. */
export const rotateCommand = (): Command =>
  withCommonOptions(withYes(new Command('rotate')))
    .argument('<keyId>', "the old key's id, not the key")
    .description('issue a key in place of another one, which ends after an overlap')
    .addOption(
      new Option('--overlap <duration>', 'how long both keys work, such as 12h or 7d')
        .argParser(parseDuration)
        .default(parseDuration(DEFAULT_OVERLAP), DEFAULT_OVERLAP),
    )
    .option(
      '--expires-in <duration>',
      'how long the new key works, such as 90d; by default for ever',
      parseLifetime,
    )
    .addHelpText('after', HELP)
    .action(rotate);
