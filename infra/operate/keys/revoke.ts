import { Command } from 'commander';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, withCommonOptions, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { describeKey, findKey, unknownKey } from './found-key.ts';

const revokeKey = async (keyId: string, flags: CommonFlags & YesFlag): Promise<void> => {
  const found = await findKey(keyId, flags);
  // Of what cannot be read, nobody knows that it is a test key.
  const mode = found.key?.mode ?? 'live';
  await confirmLive(`Revoking ${describeKey(found)} at once and for good`, { mode, ...flags });
  const outcome = await found.apiKeys.revoke(keyId, Date.now());
  if (outcome === 'unknown') throw unknownKey(keyId);
  print(flags.json, { keyId, revoked: true }, [`Revoked the key ${keyId}.`]);
};

const HELP = `
Examples:
  npm run operate -- keys revoke 06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10
  npm run operate -- keys revoke 06292f8a... --stage prod --yes     (with all 64 digits)

The key's next request is answered 401; while its bucket is empty, 429 for up to a second more.
There is no way back; to change keys without refused requests, see keys rotate.`;

/** `keys revoke`: makes a key unusable. */
export const revokeCommand = (): Command =>
  withCommonOptions(withYes(new Command('revoke')))
    .argument('<keyId>', "the key's id, not the key")
    .description('revoke a key at once and for good')
    .addHelpText('after', HELP)
    .action(revokeKey);
