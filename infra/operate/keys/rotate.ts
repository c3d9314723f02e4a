import { Command, Option } from 'commander';
import { generateApiKey } from '../../../lib/api-keys/api-key.ts';
import { rotateKey } from '../../../lib/api-keys/rotation.ts';
import { OperatorError } from '../../operator-error.ts';
import { confirmLive } from '../confirm.ts';
import {
  type CommonFlags,
  parseDuration,
  parseLifetime,
  withCommonOptions,
  withYes,
  type YesFlag,
} from '../options.ts';
import { isoTime, print } from '../output.ts';
import { describeKey, findKey } from './found-key.ts';
import { lostKey, newKeyJson, newKeyLines } from './new-key.ts';

interface RotateFlags extends CommonFlags, YesFlag {
  /** In milliseconds. */
  readonly overlap: number;
  readonly expiresIn?: number;
}

const rotate = async (keyId: string, flags: RotateFlags): Promise<void> => {
  const { overlap, expiresIn, json } = flags;
  const found = await findKey(keyId, flags);
  await confirmLive(`Rotating ${describeKey(found)}`, { ...found.key, ...flags });
  const secret = generateApiKey(found.key.mode);
  const nowMs = Date.now();
  const rotation = await rotateKey(found.apiKeys, found.key, {
    secret,
    overlapMs: overlap,
    expiresAtMs: expiresIn && nowMs + expiresIn,
    nowMs,
  });
  if (rotation.outcome === 'lost') throw lostKey();
  if (rotation.outcome === 'unusable') {
    throw new OperatorError(`The key ${keyId} is revoked or expired already: issue a new one.`);
  }
  const { newKey, oldEndsAtMs } = rotation;
  const oldKeyEndsAt = isoTime(oldEndsAtMs);
  print(json, { ...newKeyJson(secret, newKey), oldKeyId: keyId, oldKeyEndsAt }, [
    `Issued a ${newKey.mode} key for ${newKey.storeId}, with the limits of the old one.`,
    ...newKeyLines(secret, newKey),
    oldEndsAtMs < nowMs + overlap
      ? `The old key works until ${oldKeyEndsAt}, an end that it had already; both work until then.`
      : `The old key works until ${oldKeyEndsAt}; both work until then.`,
  ]);
};

const DEFAULT_OVERLAP = '24h';

const HELP = `
Examples:
  npm run operate -- keys rotate 06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10
  npm run operate -- keys rotate 06292f8a... --overlap 7d --stage prod     (with all 64 digits)

Both keys work during the overlap, each with a bucket of its own. A key that leaked has no overlap: --overlap 0s.
A rotation cannot lengthen a key: an end that the old key already has, and that is earlier, stays.`;

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
