import { Command } from 'commander';
import { rejectLimits } from '../../../lib/api-keys/limits.ts';
import { UsageError } from '../../command-line.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, parseCount, withCommonOptions, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { describeKey, endedKey, findUsableKey } from './found-key.ts';

interface SetLimitFlags extends CommonFlags, YesFlag {
  readonly limit: number;
  readonly window: number;
}

const setLimit = async (keyId: string, flags: SetLimitFlags): Promise<void> => {
  const limits = { limit: flags.limit, windowSeconds: flags.window };
  const refusal = rejectLimits(limits);
  if (refusal !== undefined) throw new UsageError(refusal);
  const found = await findUsableKey(keyId, flags);
  const change = `${limits.limit} requests per ${limits.windowSeconds} s`;
  await confirmLive(`Giving ${describeKey(found)} ${change}`, { ...found.key, ...flags });
  const key = await found.apiKeys.setLimits(keyId, limits, Date.now());
  if (!key) throw endedKey(keyId);
  print(flags.json, { keyId, ...limits }, [
    `The key ${keyId} now has ${change}; before, it had ${found.key.limit} per ${found.key.windowSeconds} s.`,
  ]);
};

const HELP = `
Example:
  npm run operate -- keys set-limit 06292f8a5d43b6bbd80d38551d184ba0a1a0d171dd0c57ea1317aee182629f10 --limit 600 --window 60

The key's next request has the new limits; one whose bucket was empty may be answered 429 for up to a second more.
Tokens that are taken stay taken, up to the new limit, and come back at the new rate; a full bucket stays full.`;

/** `keys set-limit`: other limits for a key in use. */
export const setLimitCommand = (): Command =>
  withCommonOptions(withYes(new Command('set-limit')))
    .argument('<keyId>', "the key's id, not the key")
    .description("change a key's limit and window")
    .requiredOption('--limit <number>', 'requests per window', parseCount)
    .requiredOption('--window <seconds>', 'length of the window in seconds', parseCount)
    .addHelpText('after', HELP)
    .action(setLimit);
