import type { Command } from 'commander';
import { counted } from '../../counted.ts';
import { recordChange } from '../audit/record.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, parseCount, stageCommand, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { assertLimits, assertStageLimits, describeKey, endedKey, findUsableKey } from './found-key.ts';

interface SetLimitFlags extends CommonFlags, YesFlag {
  readonly limit: number;
  readonly window: number;
}

const setLimit = async (host: Host, idOrPrefix: string, flags: SetLimitFlags): Promise<void> => {
  const limits = { limit: flags.limit, windowSeconds: flags.window };
  assertLimits(limits);
  const found = await findUsableKey(host, idOrPrefix, flags);
  const { keyId } = found;
  assertStageLimits(limits, found.limitsMax);
  const change = `${counted(limits.limit, 'request')} per ${limits.windowSeconds} s`;
  await confirmLive(host, `Limiting ${describeKey(found)} to ${change}`, { ...found.key, ...flags });
  const audited = { command: 'keys set-limit', ids: { keyId, ...limits } };
  await recordChange(host, found.stage, audited, async () => {
    if (!(await found.apiKeys.setLimits(keyId, limits, host.now()))) throw endedKey(keyId);
  });
  await print(host, flags.json, { keyId, ...limits }, [
    `The key ${keyId} now has ${change}. Before, it had ${found.key.limit} per ${found.key.windowSeconds} s.`,
  ]);
};

const HELP = `
Example:
  npm run operate -- keys set-limit 06292f8a --limit 600 --window 60

The new limit applies from the key's next request. A key with an empty bucket may still get 429 for one second.
Used tokens stay used, up to the new limit, and refill at the new rate. A full bucket stays full.`;

/** `keys set-limit`: changes the limit and the window of a key. */
export const setLimitCommand = (host: Host): Command =>
  withYes(stageCommand('set-limit', "change a key's limit and window", HELP))
    .argument('<keyId>', 'the id of the key or its beginning, not the key itself')
    .requiredOption('--limit <number>', 'requests per window', parseCount)
    .requiredOption('--window <seconds>', 'length of the window in seconds', parseCount)
    .action((keyId: string, flags: SetLimitFlags) => setLimit(host, keyId, flags));
